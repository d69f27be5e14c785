import ArtworkPipeline
import HTTPTypes
import Hummingbird
import Logging

/// Routes, measures and logs one request.
struct Responder: Sendable {
  let router: any HTTPResponder<ServiceContext>
  let log: RequestLog

  func respond(to request: Request, _ connection: Connection) async -> Response {
    let start = ContinuousClock.now
    let context = ServiceContext(source: .init(logger: log.logger, connection: connection))
    var response: Response
    do {
      response = try await router.respond(to: request, context: context)
    } catch {
      log.logger.error("a request failed", metadata: ["error": "\(error)"])
      response = Problem.failed.response
    }
    log.note(
      .init(method: request.method.rawValue, path: context.endpointPath ?? "NotFound"),
      target: request.uri.string, status: response.status.code, since: start)
    // The details of an error concern this user's files, so they are not sent to other users, who may query the
    // health.
    if response.status.code >= 500, !connection.isTrusted { response = Problem.redacted.response }
    for (name, value) in Self.fieldsOfAll { response.headers[name] = value }
    return response
  }

  /// Header fields of every response.
  static let fieldsOfAll: [(HTTPField.Name, String)] = [
    (.xContentTypeOptions, "nosniff"), (.crossOriginResourcePolicy, "same-origin"),
  ]
}

extension HTTPField.Name {
  // swift-format-ignore: NeverForceUnwrap
  static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
}

/// Counts and logs answered requests.
struct RequestLog: Sendable {
  let metrics: ServiceMetrics
  let logger: Logger

  func note(
    _ route: ServiceMetrics.Route, target: String, status: Int, since start: ContinuousClock.Instant
  ) {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    metrics.note(route, status: status, seconds: seconds)
    logger.debug(
      "request",
      metadata: [
        "method": "\(route.method)", "target": "\(target.printable)", "status": "\(status)",
        "ms": "\(seconds * 1000)",
      ])
  }
}
