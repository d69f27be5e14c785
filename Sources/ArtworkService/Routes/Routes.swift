import ArtworkStore
import Logging
import NIOHTTP1

/// All routes, by resource.
struct Routes: Sendable {
  let center: NowPlayingCenter
  let log: RequestLog
  let version: String

  var all: [Route] {
    let store = center.store
    return ArtworkRoutes(store: store).routes
      + PreviewRoute(store: store, cache: ReadyPreviews(store: store, log: log)).routes
      + VideoRoute(store: store).routes + SessionRoutes(center: center).routes
      + SessionVideoRoute(center: center).routes + CommandRoutes(center: center).routes
      + NowPlayingRoutes(center: center).routes
      + EventsRoute(center: center, log: EventLog(center: center)).routes
      + StatusRoutes(store: store, version: version).routes + PageRoutes().routes
  }
}
