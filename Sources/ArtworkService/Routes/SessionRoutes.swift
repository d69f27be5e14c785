import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird

/// Sessions, which players publish.
struct SessionRoutes: Sendable {
  let center: NowPlayingCenter

  func add(to router: Router<ServiceContext>) {
    router.put("/v1/sessions/{id}", use: put)
    router.get("/v1/sessions/{id}", use: get)
    router.delete("/v1/sessions/{id}", use: delete)
    router.post("/v1/sessions/{id}/primary", use: promote)
  }

  private struct Promotion: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case scope }

    var scope: SessionBoard.Scope

    init(from decoder: any Decoder) throws {
      try decoder.refuseFields(otherThan: CodingKeys.allCases)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      scope =
        try container.decodeIfPresent(SessionBoard.Scope.self, forKey: .scope) ?? .application
    }
  }

  @Sendable private func put(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try context.identity("id")
    let published = try await request.json(SessionRequest.self, context)
    let isNew = try await center.publish(
      published.session.received(at: center.options.secondsSince1970()), as: id,
      ownedBy: published.ownerProcess)
    return try JSON.response(try document(id), status: isNew ? .created : .ok)
  }

  @Sendable private func get(_ request: Request, _ context: ServiceContext) throws -> Response {
    _ = try request.query()
    return try JSON.response(try document(try context.identity("id")))
  }

  @Sendable private func delete(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try context.identity("id")
    guard try await center.end(id) else { throw StoreError.unknownSession(id) }
    return Response(status: .noContent)
  }

  @Sendable private func promote(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try context.identity("id")
    let promotion = try await request.json(Promotion.self, context)
    try await center.promote(id, promotion.scope)
    return Response(status: .noContent)
  }

  private func document(_ id: SessionID) throws(StoreError) -> PublishedSession {
    guard var published = center.nowPlaying().sessions.first(where: { $0.id == id }) else {
      throw StoreError.unknownSession(id)
    }
    published.ownerProcess = center.owner(of: id).process?.identifier
    return published
  }
}
