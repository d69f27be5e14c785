import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird
import NIOCore

/// Server-sent events. With `own`, the stream owns that session and gets its commands; with `session`, it contains
/// only the events of that session. Until the next version, `session` without `own` also owns the session, and a
/// response header announces the change.
struct EventsRoute: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics
  let log: EventLog

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/events", use: get)
    router.head("/v1/events") { request, _ in
      _ = try StreamRequest(request)
      return Response(status: .ok, headers: Self.headers)
    }
  }

  /// The parsed request.
  private struct StreamRequest {
    var own: SessionID?
    /// Application of that session, or of the filtered one.
    var application: String?
    var filter: SessionID?
    /// Whether it owns by the parameter that will be a filter alone.
    var isOld = false

    init(_ request: Request) throws(Problem) {
      let query = try request.query(["own", "session", "application"])
      func identity(_ name: String) throws(Problem) -> SessionID? {
        guard let text = query[name], !(name == "own" && text.isEmpty) else { return nil }
        guard let id = SessionID(text) else {
          throw .badRequest("\(name) must be an identifier of 1 to \(SessionID.longest) bytes")
        }
        return id
      }
      own = try identity("own")
      application = query["application"]
      filter = try identity("session")
      if query["own"] == nil, let session = filter {
        (own, filter, isOld) = (session, nil, true)
      }
      if application != nil, own == nil, filter == nil {
        throw .badRequest("application needs own or session")
      }
    }
  }

  private static let headersOfOld: HTTPFields = {
    var fields = EventsRoute.headers
    if let name = HTTPField.Name("Deprecation") { fields[name] = "true" }
    return fields
  }()

  /// On a stream that owns by the former parameter.
  private static let deprecationNotice =
    ": deprecated: session=ID will only filter events in the next version; own a session with own=ID\n\n"

  private static let headers: HTTPFields = [
    .contentType: "text/event-stream", .cacheControl: "no-store",
  ]

  @Sendable private func get(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let streamRequest = try StreamRequest(request)
    let connection = context.connection
    let languages = request.languages
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    return Response(
      status: .ok, headers: streamRequest.isOld ? Self.headersOfOld : Self.headers,
      body: ResponseBody { writer in
        try await stream(streamRequest, after: last, languages, connection) { text in
          try await writer.write(ByteBuffer(string: text))
        }
        try await writer.finish(nil)
      })
  }

  /// Runs until the client closes its side or the service stops.
  private func stream(
    _ streamRequest: StreamRequest, after last: String?, _ languages: ReaderLanguages,
    _ connection: Connection,
    _ write: (String) async throws -> Void
  ) async throws {
    let (session, application) = (streamRequest.own, streamRequest.application)
    metrics.countListeners(1)
    connection.client.hearsEvents = true
    if let session {
      connection.client.ownsSession = true
      center.hold(session, of: application, peer: connection.peer)
    }
    defer {
      metrics.countListeners(-1)
      if !connection.isStopping { connection.client.hearsEvents = false }
      // A session keeps its owner while the service restarts.
      if let session, !connection.isStopping {
        center.letGo(session, of: application, peer: connection.peer)
      }
    }
    let limits = connection.limits
    let queue = EventQueue(limit: limits.waitingEvents, missed: EventMessage.missed)
    if streamRequest.isOld { queue.add(Self.deprecationNotice) }
    try log.listen(queue, to: streamRequest.filter, of: application, after: last, for: languages)
    defer { log.stop(queue) }
    let receiver = session.map { session in
      center.receive(
        CommandDesk.Receiver(session, of: application, peer: connection.peer) { command in
          // The contents of a command can always be encoded.
          (try? EventMessage.command(command)).map(queue.addIfRoom) ?? false
        })
    }
    defer { if let receiver { center.stopReceiving(receiver) } }
    connection.whenEnding { queue.finish() }
    try await withThrowingTaskGroup { group in
      group.addTask {
        while true {
          try await Task.sleep(for: limits.heartbeat)
          queue.addIfEmpty(EventMessage.heartbeat)
        }
      }
      try await queue.deliver(to: write)
      group.cancelAll()
    }
  }
}
