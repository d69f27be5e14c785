import ArtworkModel
import WebTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Talks to the service beside a player (`artworkd serve`). A value that can be copied and used from anywhere;
/// connections are kept open and shared within the process.
public struct ArtworkClient: Sendable {
  public let address: ServiceAddress
  let previews = PreviewCache()

  public init(_ address: ServiceAddress = .standard()) { self.address = address }

  struct Answer: Sendable {
    var response: TransferResponse
    var body: [UInt8]
  }

  /// How long an answer may take.
  enum Patience {
    /// Whatever the service knows by itself.
    static let short = Duration.seconds(15)
    /// Whatever needs a worker or the web: beyond the 30 s that the service takes at most.
    static let long = Duration.seconds(45)
  }

  // MARK: Requests

  /// Sends a request and collects the answer; an answer of 400 or more is thrown.
  ///
  /// - Parameters:
  ///   - path: segments, not yet escaped.
  ///   - byteLimit: of the answer's body.
  func send(
    _ method: String, _ path: [String], query: [(String, String)] = [],
    body: [UInt8]? = nil, headers: [String: String] = [:],
    within patience: Duration = Patience.short,
    byteLimit: Int = 16 << 20
  ) async throws(ClientError) -> Answer {
    do throws(ClientError) {
      return try await sendOnce(method, path, query, body, headers, patience, byteLimit)
    } catch .lost where method != "POST" {
      // The connection was kept from an earlier request and the service has closed it, for example to restart.
      return try await sendOnce(method, path, query, body, headers, patience, byteLimit)
    }
  }

  private func sendOnce(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
    _ headers: [String: String], _ patience: Duration, _ byteLimit: Int
  ) async throws(ClientError) -> Answer {
    do {
      // The limit that the request itself has ends when its answer begins.
      return try await Deadline.run(patience, late: ClientError.late) {
        let response = try await open(method, path, query, body, headers, patience)
        return Answer(response: response, body: try await response.body.collect(upTo: byteLimit))
      }
    } catch {
      throw failure(error)
    }
  }

  /// Sends a request and returns when its answer begins.
  func open(
    _ method: String, _ path: [String], _ query: [(String, String)] = [],
    _ body: [UInt8]? = nil, _ headers: [String: String] = [:],
    _ patience: Duration = Patience.short
  ) async throws(ClientError) -> TransferResponse {
    var request = TransferRequest(method, url(path, query))
    request.headers = headers.map { ($0.key, $0.value) }
    if case .socket(let path) = address { request.route = .socket(path: path) }
    request.patience.head = patience
    if let token = address.token { request.headers.append(("Authorization", "Bearer \(token)")) }
    if let body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = body
    }
    let response: TransferResponse
    do {
      response = try await TransferLoop.shared.send(request)
    } catch {
      throw failure(error)
    }
    guard response.status >= 400 else { return response }
    throw await problem(in: response)
  }

  private func url(_ path: [String], _ query: [(String, String)]) -> String {
    let values = query.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    return address.base + path.map { "/\($0.percentEncoded)" }.joined()
      + (values.isEmpty ? "" : "?\(values)")
  }

  // MARK: What goes wrong

  private func problem(in response: TransferResponse) async -> ClientError {
    let status = response.status
    var problem = ClientError.Problem(
      code: "status-\(status)", status: status, title: "status \(status)")
    // A problem whose document does not arrive or is none is still one, by its status.
    if let body = try? await response.body.collect(upTo: 1 << 20),
      let stated = try? Self.decoder.decode(ClientError.Problem.self, from: Data(body))
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
    case .noConnection(let errno, let reason):
      .noService(
        address: "\(address)",
        reason: errno.map { String(cString: strerror($0)).lowercased() } ?? reason)
    case .timedOut: .late
    case .lost(let reason): .lost(reason)
    case .tooLong: .notUnderstood("it is too long")
    case .cancelled: .cancelled
    }
  }

  // MARK: JSON

  /// Answers of a newer service may have more fields.
  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    if let option = CodingUserInfoKey.passesOverUnknownFields { decoder.userInfo[option] = true }
    return decoder
  }()

  static func json(_ value: some Encodable) throws(ClientError) -> [UInt8] {
    do {
      return Array(try JSONEncoder().encode(value))
    } catch {
      // Numbers that JSON does not have.
      throw .refused(
        ClientError.Problem(
          code: "bad-request", status: 400, title: "Bad Request",
          detail: "this cannot be written as JSON: \(error)"))
    }
  }

  static func value<T: Decodable>(_ type: T.Type, in body: [UInt8]) throws(ClientError) -> T {
    do {
      return try decoder.decode(type, from: Data(body))
    } catch {
      throw .notUnderstood("\(error)")
    }
  }
}
