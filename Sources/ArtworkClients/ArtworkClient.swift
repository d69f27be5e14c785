import ArtworkPipeline
import AsyncHTTPClient
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Talks to the service beside a player (`artworkd serve`). A value that can be copied and used from anywhere;
/// connections are kept open and shared within the process.
public struct ArtworkClient: Sendable {
  public let address: ServiceAddress
  let previews = PreviewCache()

  public init(_ address: ServiceAddress = .standard()) { self.address = address }

  /// Lives as long as the process: it is never shut down, so that a client is a plain value.
  private static let http: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    // The service writes at least every 15 s (a comment) and answers within 30 s.
    configuration.timeout = .init(connect: .seconds(5), read: .seconds(60))
    configuration.connectionPool.retryConnectionEstablishment = false
    // Each session that is held has a connection of its own.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  struct Answer: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: ByteBuffer
  }

  /// How long an answer may take.
  enum Patience {
    /// Whatever the service knows by itself.
    static let short = TimeAmount.seconds(15)
    /// Whatever needs a worker or the web: beyond the 30 s that the service takes at most.
    static let long = TimeAmount.seconds(45)
  }

  // MARK: Requests

  /// Sends a request and collects the answer; an answer of 400 or more is thrown.
  ///
  /// - Parameters:
  ///   - path: segments, not yet escaped.
  ///   - byteLimit: of the answer's body.
  func send(
    _ method: HTTPMethod, _ path: [String], query: [(String, String)] = [],
    body: [UInt8]? = nil, headers: HTTPHeaders = [:], within patience: TimeAmount = Patience.short,
    byteLimit: Int = 16 << 20
  ) async throws(ClientError) -> Answer {
    do throws(ClientError) {
      return try await sendOnce(method, path, query, body, headers, patience, byteLimit)
    } catch .lost where method != .POST {
      // The connection was kept from an earlier request and the service has closed it, for example to restart.
      return try await sendOnce(method, path, query, body, headers, patience, byteLimit)
    }
  }

  private func sendOnce(
    _ method: HTTPMethod, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
    _ headers: HTTPHeaders, _ patience: TimeAmount, _ byteLimit: Int
  ) async throws(ClientError) -> Answer {
    do {
      // What the request itself is given ends when its answer begins.
      return try await Deadline.run(
        .nanoseconds(patience.nanoseconds), late: ClientError.late
      ) {
        let response = try await open(method, path, query, body, headers, patience)
        return Answer(
          status: response.status, headers: response.headers,
          body: try await response.body.collect(upTo: byteLimit))
      }
    } catch {
      throw failure(error)
    }
  }

  /// Sends a request and returns when its answer begins.
  func open(
    _ method: HTTPMethod, _ path: [String], _ query: [(String, String)] = [],
    _ body: [UInt8]? = nil, _ headers: HTTPHeaders = [:], _ patience: TimeAmount = Patience.short
  ) async throws(ClientError) -> HTTPClientResponse {
    var request = HTTPClientRequest(url: url(path, query))
    request.method = method
    request.headers = headers
    // A socket has no host, and HTTP wants one.
    if case .socket = address { request.headers.replaceOrAdd(name: "host", value: "localhost") }
    if let token = address.token {
      request.headers.replaceOrAdd(name: "authorization", value: "Bearer \(token)")
    }
    if let body {
      request.headers.replaceOrAdd(name: "content-type", value: "application/json")
      request.body = .bytes(body)
    }
    let response: HTTPClientResponse
    do {
      response = try await Self.http.execute(request, timeout: patience)
    } catch {
      throw failure(error)
    }
    guard response.status.code >= 400 else { return response }
    throw await problem(in: response)
  }

  private func url(_ path: [String], _ query: [(String, String)]) -> String {
    let values = query.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    return address.base + path.map { "/\($0.percentEncoded)" }.joined()
      + (values.isEmpty ? "" : "?\(values)")
  }

  // MARK: What goes wrong

  private func problem(in response: HTTPClientResponse) async -> ClientError {
    let status = Int(response.status.code)
    var problem = ClientError.Problem(
      code: "status-\(status)", status: status, title: response.status.reasonPhrase)
    // A problem whose document does not arrive or is none is still one, by its status.
    if let body = try? await response.body.collect(upTo: 1 << 20),
      let stated = try? Self.decoder.decode(ClientError.Problem.self, from: body)
    {
      problem = stated
    }
    problem.retryAfterSeconds = response.headers.first(name: "retry-after").flatMap { Int($0) }
    return .refused(problem)
  }

  func failure(_ error: any Error) -> ClientError {
    switch error {
    case let error as ClientError: error
    case is CancellationError: .cancelled
    case let error as HTTPClientError where error == .cancelled: .cancelled
    case let error as IOError where Self.meansNobody.contains(Errno(rawValue: error.errnoCode)):
      .noService(
        address: "\(address)", reason: Errno(rawValue: error.errnoCode).description.lowercased())
    case let error as SocketAddressError:
      .noService(address: "\(address)", reason: "this is no address of a socket: \(error)")
    case is NIOConnectionError: .noService(address: "\(address)", reason: "no connection")
    case let error as HTTPClientError where error == .connectTimeout:
      .noService(address: "\(address)", reason: "no connection in time")
    case let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error): .late
    case let error as HTTPClientError: .lost(error.shortDescription)
    case is NIOTooManyBytesError: .notUnderstood("it is too long")
    default: .lost("\(error)")
    }
  }

  private static let meansNobody: Set<Errno> = [
    .noSuchFileOrDirectory, .connectionRefused, .permissionDenied, .notDirectory,
  ]

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

  static func value<T: Decodable>(_ type: T.Type, in body: ByteBuffer) throws(ClientError) -> T {
    do {
      return try decoder.decode(type, from: body)
    } catch {
      throw .notUnderstood("\(error)")
    }
  }
}
