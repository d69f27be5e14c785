import ArtworkModel
import FoundationEssentials
import Glibc

/// A client of the service beside a player (`artworkd serve`). Copies share a cache of previews; all clients of the
/// process share persistent connections.
public struct ArtworkClient: Sendable {
  public let address: ServiceAddress
  let previews = PreviewCache()
  private let tokenFile: TokenFile?
  /// The folder of the default socket, which must be this user's own.
  private let folder: String?

  public init(_ address: ServiceAddress = .standard()) {
    self.address = address
    tokenFile = nil
    folder = address.folderOfStandard
  }

  /// A client over TCP that survives a restart of the service, after which the token is a new one.
  ///
  /// - Parameters:
  ///   - address: its token, if it has one, is used until the service refuses it.
  ///   - tokenFile: the path of the service's token file, which is read whenever the service refuses the token.
  public init(_ address: ServiceAddress, tokenFile: String) {
    self.address = address
    self.tokenFile = TokenFile(tokenFile, token: address.token)
    folder = address.folderOfStandard
  }

  struct Answer: Sendable {
    var response: TransferResponse
    var body: [UInt8]
  }

  /// How long a response may take.
  enum Timeout {
    /// The time limit of requests that the service answers from memory or disk.
    static let short = Duration.seconds(15)
    /// The time limit of requests that wait for a worker or a download: longer than the 30 s that the service takes at most.
    static let long = Duration.seconds(45)
  }

  /// Query that waits as long as the service allows.
  static let patient = [("wait", "28")]

  // MARK: Requests

  /// Sends a request and collects the response; a status of 400 or more is thrown.
  ///
  /// - Parameters:
  ///   - path: segments, not percent-encoded.
  ///   - byteLimit: of the response's body.
  func send(
    _ method: String, _ path: [String], query: [(String, String)] = [],
    body: [UInt8]? = nil, headers: [String: String] = [:],
    within timeout: Duration = Timeout.short,
    byteLimit: Int = 16 << 20
  ) async throws(ClientError) -> Answer {
    do throws(ClientError) {
      return try await sendOnce(method, path, query, body, headers, timeout, byteLimit)
    } catch .lost where method == "GET" || method == "PUT" && headers["if-none-match"] == nil {
      // The service may have restarted meanwhile. The request may have been carried out: only one that has the same answer
      // the second time is sent again.
      return try await sendOnce(method, path, query, body, headers, timeout, byteLimit)
    }
  }

  /// Sends a DELETE request. One whose answer was lost is sent again; then nothing may be left to delete.
  func delete(_ path: [String], query: [(String, String)] = []) async throws(ClientError) {
    do throws(ClientError) {
      _ = try await send("DELETE", path, query: query)
    } catch .lost {
      do throws(ClientError) {
        _ = try await send("DELETE", path, query: query)
      } catch .refused(let problem) where problem.status == 404 {}
    }
  }

  private func sendOnce(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
    _ headers: [String: String], _ timeout: Duration, _ byteLimit: Int
  ) async throws(ClientError) -> Answer {
    do {
      // The transfer's own timeout covers only the head.
      return try await Deadline.run(timeout, late: ClientError.late) {
        let response = try await open(method, path, query, body, headers, timeout)
        return Answer(response: response, body: try await response.body.collect(upTo: byteLimit))
      }
    } catch {
      throw failure(error)
    }
  }

  /// Sends a request and returns when the head of the response has arrived.
  func open(
    _ method: String, _ path: [String], _ query: [(String, String)] = [],
    _ body: [UInt8]? = nil, _ headers: [String: String] = [:],
    _ timeout: Duration = Timeout.short
  ) async throws(ClientError) -> TransferResponse {
    let token = tokenFile?.token ?? address.token
    do throws(ClientError) {
      return try await open(method, path, query, body, headers, timeout, token)
    } catch {
      guard case .refused(let problem) = error, problem.status == 401,
        let token = tokenFile?.token(insteadOf: token)
      else { throw error }
      return try await open(method, path, query, body, headers, timeout, token)
    }
  }

  private func open(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
    _ headers: [String: String], _ timeout: Duration, _ token: String?
  ) async throws(ClientError) -> TransferResponse {
    var request = TransferRequest(method, url(path, query))
    request.headers = headers.map { ($0.key, $0.value) }
    if case .socket(let path) = address { request.route = .socket(path: path) }
    request.timeouts.head = timeout
    if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
    if let body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = body
    }
    if let flaw = folder.flatMap({ DefaultSocket.flaw(of: $0) }) {
      throw .untrusted(address: "\(address)", reason: flaw)
    }
    let response: TransferResponse
    do {
      response = try await sendInTurn(request)
    } catch {
      throw failure(error)
    }
    guard response.status >= 400 else { return response }
    throw await problem(in: response)
  }

  /// Retries while the backlog of the socket is full.
  ///
  /// - Throws: `busy` if it is still full after the time limit.
  private func sendInTurn(_ request: TransferRequest) async throws -> TransferResponse {
    let end = ContinuousClock.now + request.timeouts.head
    var pause = Duration.milliseconds(5)
    while true {
      do throws(TransferError) {
        return try await TransferLoop.shared.send(request)
      } catch {
        guard case .noConnection(EAGAIN?, _) = error else { throw error }
        guard ContinuousClock.now + pause < end else { throw Self.busy(address) }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(200))
      }
    }
  }

  private func url(_ path: [String], _ query: [(String, String)]) -> String {
    let values = query.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    return address.base + path.map { "/\($0.percentEncoded)" }.joined()
      + (values.isEmpty ? "" : "?\(values)")
  }

  // MARK: Errors

  private func problem(in response: TransferResponse) async -> ClientError {
    let status = response.status
    var problem = ClientError.Problem(
      code: "status-\(status)", status: status, title: "status \(status)")
    // Without a valid problem document, only the status is known.
    if let body = try? await response.body.collect(upTo: 1 << 20),
      let stated = try? JSONDecoder().decode(ClientError.Problem.self, from: Data(body))
    {
      problem = stated
    }
    problem.retryAfterSeconds = response.header("Retry-After").flatMap { Int($0) }
    return .refused(problem)
  }

  func failure(_ error: any Error) -> ClientError {
    switch error {
    case let error as ClientError: error
    case is CancellationError: .cancelled
    case let error as TransferError: failure(error)
    default: .lost("\(error)")
    }
  }

  private func failure(_ error: TransferError) -> ClientError {
    switch error {
    case .invalidRequest(let reason): Self.badRequest(reason)
    case .noConnection(let errno, let reason):
      .noService(
        address: "\(address)",
        reason: errno.map { String(cString: strerror($0)).lowercased() } ?? reason)
    case .foreign(let user):
      .untrusted(address: "\(address)", reason: "it is that of user \(user)")
    case .timedOut: .late
    case .lost(let reason): .lost(reason)
    case .tooLong: .notUnderstood("the response is too long")
    case .cancelled: .cancelled
    }
  }

  // MARK: JSON

  static func json(_ value: some Encodable) throws(ClientError) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(value))
    } catch {
      // JSON has no infinite numbers.
      throw badRequest("the request cannot be encoded as JSON: \(error)")
    }
  }

  /// The error of a request that the service would refuse, before it is sent.
  static func badRequest(_ detail: String) -> ClientError {
    .refused(
      ClientError.Problem(code: "bad-request", status: 400, title: "Bad Request", detail: detail))
  }

  private static func busy(_ address: ServiceAddress) -> ClientError {
    .refused(
      ClientError.Problem(
        code: "busy", status: 503, title: "Service Unavailable",
        detail: "too many clients wait at \(address); try again"))
  }

  static func value<T: Decodable>(_ type: T.Type, in body: [UInt8]) throws(ClientError) -> T {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      throw .notUnderstood("\(error)")
    }
  }
}
