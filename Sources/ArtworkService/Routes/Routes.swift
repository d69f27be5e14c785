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
    // Added last, so that it sees only the requests that no route answers.
    router.add(middleware: MethodMiddleware(router.routes))
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
    CommandRoutes(center: center).add(to: router)
    NowPlayingRoutes(center: center).add(to: router)
    EventsRoute(center: center, metrics: metrics, log: EventLog(center: center)).add(to: router)
    StatusRoutes(
      center: center, metrics: metrics, connections: connections, version: version
    ).add(to: router)
    PageRoutes().add(to: router)
    return router
  }
}
