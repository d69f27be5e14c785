import ArtworkModel
import ArtworkPipeline
import CEmbedded
import NIOCore
import NIOHTTP1

/// Health and the API description.
struct StatusRoutes: Sendable {
  let store: AssetStore
  let version: String

  var routes: [Route] {
    [
      Route(.GET, "/healthz", health),
      Route(.GET, "/openapi.json") { request in
        _ = try request.query()
        return Response(
          .ok, ["Content-Type": "application/json"],
          .bytes(ByteBuffer(bytes: [UInt8](embedded_openapi_json))))
      },
    ]
  }

  private struct Health: Encodable {
    var status = "ok"
    var version: String
    var repairs: Int
  }

  @Sendable private func health(_ request: Request) async throws -> Response {
    _ = try request.query()
    do throws(StoreError) { try await store.checkHealth() } catch {
      throw Problem.unhealthy(error)
    }
    return try JSON.response(Health(version: version, repairs: store.repairs))
  }
}
