import ArtworkModel
import Logging
import NIOHTTP1

/// What answers one method of one resource.
struct Route: Sendable {
  var method: HTTPMethod
  /// A segment in braces stands for any.
  var path: String
  var respond: @Sendable (Request) async throws -> Response
  /// Answers on the event loop, without waiting, or leaves the request to `respond`.
  var respondAtOnce: (@Sendable (Request) -> ReadyResponse?)?

  init(
    _ method: HTTPMethod, _ path: String,
    atOnce respondAtOnce: (@Sendable (Request) -> ReadyResponse?)? = nil,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.respond = respond
    self.respondAtOnce = respondAtOnce
  }
}

/// Finds the route of a request, measures and logs its response, and turns errors into problem documents. A route for GET
/// also answers HEAD.
struct Router: Sendable {
  private struct Resource {
    var segments: [Substring]
    var routes: [Route]

    init(_ path: String, _ routes: [Route]) {
      segments = path.split(separator: "/")
      self.routes = routes
    }

    func route(_ method: HTTPMethod) -> Route? {
      routes.first { $0.method == method }
        ?? (method == .HEAD ? routes.first { $0.method == .GET } : nil)
    }

    /// The allowed methods, for 405.
    var allow: String {
      [HTTPMethod.GET, .HEAD, .POST, .PUT, .PATCH, .DELETE].filter { route($0) != nil }
        .map(\.rawValue).joined(separator: ", ")
    }

    /// The values of the placeholders; `nil` for the path of another resource.
    func parameters(_ path: [Substring]) -> [Substring: Substring]? {
      guard path.count == segments.count else { return nil }
      var parameters: [Substring: Substring] = [:]
      for (segment, given) in zip(segments, path) {
        if segment.hasPrefix("{") {
          parameters[segment.dropFirst().dropLast()] = given
        } else if segment != given {
          return nil
        }
      }
      return parameters
    }
  }

  private let resources: [Resource]
  private let ready: [@Sendable (Request) -> ReadyResponse?]
  private let log: RequestLog

  init(_ routes: [Route], log: RequestLog) {
    resources = Dictionary(grouping: routes, by: \.path).map(Resource.init)
    ready = routes.compactMap(\.respondAtOnce)
    self.log = log
  }

  func respondAtOnce(to request: Request) -> ReadyResponse? {
    for respond in ready {
      if let response = respond(request) { return response }
    }
    return nil
  }

  func respond(to request: Request) async -> Response {
    let start = ContinuousClock.now
    var (request, response) = (request, Response())
    do {
      response = try await route(&request).respond(request)
    } catch {
      response = problem(error, request).response
    }
    log.note(request, status: Int(response.status.code), since: start)
    // The details of an error concern this user's files, so they are not sent to other users, who may query the
    // health.
    let isRedacted = response.status.code >= 500 && !request.connection.isTrusted
    return isRedacted ? Problem.redacted.response : response
  }

  private func route(_ request: inout Request) throws(Problem) -> Route {
    let segments = request.path
    for resource in resources {
      guard let parameters = resource.parameters(segments) else { continue }
      guard let route = resource.route(request.method) else {
        throw .methodNotAllowed(resource.allow)
      }
      request.parameters = parameters
      return route
    }
    throw .noSuchResource
  }

  private func problem(_ error: any Error, _ request: Request) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case let error as StoreError: return Problem(error)
    default:
      log.logger.error("a request failed", metadata: ["error": "\(error)"])
      return .failed
    }
  }
}
