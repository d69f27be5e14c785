import ArtworkStore
import HTTPTypes
import Hummingbird
import Logging

/// All routes, by resource.
struct Routes: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics
  let connections: ConnectionTable
  let previews: PreviewShortcut
  let version: String

  func router() -> Router<ServiceContext> {
    let router = resources()
    refuseOtherMethods(router)
    return router
  }

  /// All resources, without the responses to methods that they do not allow.
  func resources() -> Router<ServiceContext> {
    let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ProblemMiddleware())
    ArtworkRoutes(store: center.store).add(to: router)
    PreviewRoute(store: center.store, shortcut: previews).add(to: router)
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

  /// Answers 405 instead of 404 to methods that a path does not allow.
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
