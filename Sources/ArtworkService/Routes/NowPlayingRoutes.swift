import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird

/// The presentation, the device's conditions, and leases.
struct NowPlayingRoutes: Sendable {
  let center: NowPlayingCenter

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/now-playing", use: nowPlaying)
    router.get("/v1/conditions", use: conditions)
    router.put("/v1/conditions", use: setConditions)
    router.get("/v1/leases", use: leases)
  }

  private struct LeaseList: Encodable {
    var leases: [LeaseMessage]
  }

  @Sendable private func nowPlaying(
    _ request: Request, _ context: ServiceContext
  ) throws -> Response {
    _ = try request.query()
    return try JSON.response(center.nowPlaying().reading(request.languages))
  }

  @Sendable private func conditions(
    _ request: Request, _ context: ServiceContext
  ) throws -> Response {
    _ = try request.query()
    return try JSON.response(center.conditions)
  }

  @Sendable private func setConditions(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    try await center.set(
      try await request.json(DeviceConditions.self, context))
    return try JSON.response(center.conditions)
  }

  @Sendable private func leases(_ request: Request, _ context: ServiceContext) throws -> Response {
    _ = try request.query()
    return try JSON.response(LeaseList(leases: center.store.leases().map(LeaseMessage.init)))
  }
}
