import ArtworkPipeline
import HTTPTypes
import Hummingbird
import Logging

/// All routes, by resource.
struct Routes: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics
  let connections: ConnectionTable
  let previews: PreviewShelf
  let version: String

  func router() -> Router<ServiceContext> {
    let router = resources()
    refuseOtherMethods(router)
    return router
  }

  /// What there is, without the answers to methods that it does not know.
  func resources() -> Router<ServiceContext> {
    let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ProblemMiddleware())
    ArtworkRoutes(store: center.store).add(to: router)
    PreviewRoute(store: center.store, previews: previews).add(to: router)
    VideoRoute(store: center.store).add(to: router)
    SessionRoutes(center: center).add(to: router)
    SessionVideoRoute(center: center).add(to: router)
    NowPlayingRoutes(center: center).add(to: router)
    EventsRoute(center: center, metrics: metrics).add(to: router)
    StatusRoutes(
      center: center, metrics: metrics, connections: connections, version: version
    ).add(to: router)
    PageRoutes().add(to: router)
    return router
  }

  /// 405 instead of 404 for methods that a path does not know.
  private func refuseOtherMethods(_ router: Router<ServiceContext>) {
    let methods: [HTTPRequest.Method] = [
      .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect,
    ]
    let known = Dictionary(grouping: router.routes, by: \.path.description)
    for (_, routes) in known {
      guard let path = routes.first?.path else { continue }
      var allowed = Set(routes.map(\.method))
      if allowed.contains(.get) { allowed.insert(.head) }
      let allow = methods.filter(allowed.contains).map(\.rawValue).joined(separator: ", ")
      for method in methods where !allowed.contains(method) {
        router.on(path, method: method) { _, _ -> Response in
          throw Problem.methodNotAllowed(allow)
        }
      }
    }
  }
}

/// Answers one request: routes it, measures it, logs it.
struct Responder: Sendable {
  let router: any HTTPResponder<ServiceContext>
  let metrics: ServiceMetrics
  let logger: Logger

  private let clock = ContinuousClock()

  init(router: any HTTPResponder<ServiceContext>, metrics: ServiceMetrics, logger: Logger) {
    self.router = router
    self.metrics = metrics
    self.logger = logger
  }

  func respond(to request: Request, _ connection: Connection) async -> Response {
    let start = clock.now
    let context = ServiceContext(source: .init(logger: logger, connection: connection))
    var response: Response
    do {
      response = try await router.respond(to: request, context: context)
    } catch {
      logger.error("a request failed", metadata: ["error": "\(error)"])
      response = Problem.failed.response
    }
    let seconds = (clock.now - start) / .seconds(1)
    let path = context.endpointPath ?? "NotFound"
    metrics.note(
      .init(method: request.method.rawValue, path: path), status: response.status.code,
      seconds: seconds)
    logger.debug(
      "request",
      metadata: [
        "method": "\(request.method.rawValue)", "target": "\(request.uri.string.printable)",
        "status": "\(response.status.code)", "ms": "\(seconds * 1000)",
      ])
    response.headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
      response.headers[name] = "same-origin"
    }
    return response
  }
}
