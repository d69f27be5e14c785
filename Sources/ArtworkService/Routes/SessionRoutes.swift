import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird

/// Sessions, which players publish.
struct SessionRoutes: Sendable {
  let center: NowPlayingCenter

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/sessions", use: list)
    router.put("/v1/sessions/{id}", use: put)
    router.patch("/v1/sessions/{id}", use: patch)
    router.get("/v1/sessions/{id}", use: get)
    router.delete("/v1/sessions/{id}", use: delete)
    router.post("/v1/sessions/{id}/primary", use: promote)
    router.delete("/v1/sessions/{id}/primary", use: demote)
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

  private struct List: Encodable {
    var sessions: [PublishedSession]
  }

  @Sendable private func list(_ request: Request, _ context: ServiceContext) throws -> Response {
    _ = try request.query()
    return try JSON.response(List(sessions: center.nowPlaying().sessions.map(withOwner)))
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

  /// Changes what a merge patch names.
  @Sendable private func patch(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try context.identity("id")
    let patch = SessionPatch(
      try await request.json(
        JSONValue.self, context, as: ["application/merge-patch+json", "application/json"]))
    let now = center.options.secondsSince1970()
    try await center.revise(id) { former throws(StoreError) in
      do throws(Problem) {
        return try patch.revised(former, at: now)
      } catch {
        throw StoreError(.badRequest, error.detail)
      }
    }
    return try JSON.response(try document(id))
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

  @Sendable private func demote(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let query = try request.query(["scope"])
    let id: SessionID = try context.identity("id")
    guard let scope = SessionBoard.Scope(rawValue: query["scope"] ?? "application") else {
      let known = SessionBoard.Scope.allCases.map(\.rawValue).joined(separator: " or ")
      throw Problem.badRequest("scope must be \(known)")
    }
    try await center.demote(id, scope)
    return Response(status: .noContent)
  }

  private func document(_ id: SessionID) throws(StoreError) -> PublishedSession {
    guard let published = center.nowPlaying().sessions.first(where: { $0.id == id }) else {
      throw StoreError.unknownSession(id)
    }
    return withOwner(published)
  }

  private func withOwner(_ published: PublishedSession) -> PublishedSession {
    var published = published
    published.ownerProcess = center.owner(of: published.id).process?.identifier
    return published
  }
}
