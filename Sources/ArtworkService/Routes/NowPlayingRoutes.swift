import ArtworkModel
import ArtworkPipeline
import NIOHTTP1

/// The presentation, the device's conditions, and leases.
struct NowPlayingRoutes: Sendable {
  let center: NowPlayingCenter

  var routes: [Route] {
    [
      Route(.GET, "/v1/now-playing", nowPlaying),
      Route(.GET, "/v1/conditions", conditions),
      Route(.PUT, "/v1/conditions", setConditions),
      Route(.GET, "/v1/leases", leases),
    ]
  }

  @Sendable private func nowPlaying(_ request: Request) throws -> Response {
    _ = try request.query()
    return try JSON.response(center.nowPlaying().reading(request.languages))
  }

  @Sendable private func conditions(_ request: Request) throws -> Response {
    _ = try request.query()
    return try JSON.response(center.conditions)
  }

  @Sendable private func setConditions(_ request: Request) async throws -> Response {
    _ = try request.query()
    try await center.set(try request.json(DeviceConditions.self, as: "ConditionsRequest"))
    return try JSON.response(center.conditions)
  }

  @Sendable private func leases(_ request: Request) throws -> Response {
    _ = try request.query()
    return try JSON.response(["leases": center.store.leases().map(\.served)])
  }
}
