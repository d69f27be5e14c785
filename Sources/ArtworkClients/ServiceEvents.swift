public import ArtworkModel

extension ArtworkClient {
  /// Events from now on. The stream ends when the service does, and throws ``ClientError`` when the connection is lost.
  ///
  /// - Parameters:
  ///   - session: a session that the stream owns; it need not be published yet. When the stream closes (its iterator is
  ///     released, or the process ends), the session ends, unless it has another owner.
  ///   - application: of that session; `nil` for the only one of its name.
  ///   - languages: of the reader, for the first document.
  public func events(
    holding session: SessionID? = nil, of application: String? = nil,
    for languages: ReaderLanguages = ReaderLanguages()
  ) async throws(ClientError) -> ServiceEvents {
    try await events(
      (session.map { [("own", $0.text)] } ?? [])
        + (application.map { [("application", $0)] } ?? []), Self.headers(languages))
  }

  /// The events of a session that the stream owns, and those that concern all.
  func events(
    ofOwn session: SessionID, of application: String
  ) async throws(ClientError) -> ServiceEvents {
    try await events(
      [("own", session.text), ("session", session.text), ("application", application)], [:])
  }

  private func events(
    _ query: [(String, String)], _ headers: [String: String]
  ) async throws(ClientError) -> ServiceEvents {
    let response = try await open(
      "GET", ["v1", "events"], query, nil,
      ["accept": "text/event-stream"].merging(headers) { $1 })
    let type = response.header("Content-Type") ?? "no Content-Type"
    guard type.hasPrefix("text/event-stream") else {
      throw .notUnderstood("\(type) instead of events")
    }
    return ServiceEvents(client: self, body: response.body)
  }
}

/// The events of one connection, for one reader.
public struct ServiceEvents: AsyncSequence, Sendable {
  let client: ArtworkClient
  let body: TransferBody

  public struct AsyncIterator: AsyncIteratorProtocol {
    private let client: ArtworkClient
    private var chunks: TransferBody.AsyncIterator
    private var parser = EventStreamParser()
    /// Pending events, in reverse order.
    private var waiting: [ServiceEvent] = []

    init(_ events: ServiceEvents) {
      client = events.client
      chunks = events.body.makeAsyncIterator()
    }

    /// - Throws: ``ClientError``.
    public mutating func next() async throws -> ServiceEvent? {
      while waiting.isEmpty {
        let chunk: [UInt8]?
        do {
          chunk = try await chunks.next()
        } catch {
          throw client.failure(error)
        }
        guard let chunk else { return nil }
        do {
          waiting = try parser.read(chunk).map(ServiceEvent.init).reversed()
        } catch {
          throw ClientError.notUnderstood("\(error)")
        }
      }
      return waiting.removeLast()
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
