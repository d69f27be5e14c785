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

    var scope: SessionRegistry.Scope

    init(from decoder: any Decoder) throws {
      try decoder.refuseFields(otherThan: CodingKeys.allCases)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      scope = try container.choiceIfPresent(forKey: .scope) ?? .application
    }
  }

  private struct List: Encodable {
    var sessions: [PublishedSession]
  }

  @Sendable private func list(_ request: Request, _ context: ServiceContext) throws -> Response {
    _ = try request.query()
    let sessions = center.nowPlaying().sessions.compactMap {
      center.published(SessionReference($0.session.application, $0.id))
    }
    return try JSON.response(List(sessions: sessions))
  }

  @Sendable private func put(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try context.identity("id", isNew: true)
    let published = try await request.json(SessionRequest.self, context)
    let session = published.session.received(by: center.time)
    return try await answering(id, session.application) {
      try await center.publish(
        session, as: id, ownedBy: published.ownerProcess, peer: context.connection.peer,
        if: EntityTag.condition(request))
    }
  }

  /// Changes the fields in a merge patch.
  @Sendable private func patch(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let query = try request.query(["application"])
    let id: SessionID = try context.identity("id")
    let patch = SessionPatch(
      try await request.json(
        JSONValue.self, context, as: ["application/merge-patch+json", "application/json"]))
    let time = center.time
    let application = query["application"] ?? patch.application
    return try await answering(id, application) {
      try await center.revise(id, of: application, if: EntityTag.condition(request)) {
        former throws(StoreError) in
        do throws(Problem) {
          var before = former
          before.session = former.session.sent(by: time)
          var revised = try patch.revised(before, at: time.now + time.lead)
          revised.session = revised.session.received(by: time)
          return revised
        } catch {
          throw StoreError(.badRequest, error.detail)
        }
      }
      return false
    }
  }

  @Sendable private func get(_ request: Request, _ context: ServiceContext) throws -> Response {
    let (id, application) = try context.session(try request.query(["application"]))
    return try described(id, application)
  }

  @Sendable private func delete(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let (id, application) = try context.session(try request.query(["application"]))
    let wasThere = try await reporting(id, application) {
      try await center.end(id, of: application, if: EntityTag.condition(request))
    }
    guard wasThere else { throw StoreError.unknownSession(id, of: application) }
    return Response(status: .noContent)
  }

  @Sendable private func promote(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let (id, application) = try context.session(try request.query(["application"]))
    let promotion = try await request.json(Promotion.self, context)
    try await center.promote(id, of: application, promotion.scope)
    return Response(status: .noContent)
  }

  @Sendable private func demote(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let query = try request.query(["scope", "application"])
    let (id, application) = try context.session(query)
    guard let scope = SessionRegistry.Scope(rawValue: query["scope"] ?? "application") else {
      let known = SessionRegistry.Scope.allCases.map(\.rawValue).joined(separator: " or ")
      throw Problem.badRequest("scope must be \(known)")
    }
    try await center.demote(id, of: application, scope)
    return Response(status: .noContent)
  }

  /// - Parameter change: returns whether the session is new.
  private func answering(
    _ id: SessionID, _ application: String?, _ change: () async throws -> Bool
  ) async throws -> Response {
    let isNew = try await reporting(id, application, change)
    return try described(id, application, status: isNew ? .created : .ok)
  }

  /// Adds the current tag if a precondition has failed.
  private func reporting<R>(
    _ id: SessionID, _ application: String?, _ change: () async throws -> R
  ) async throws -> R {
    do {
      return try await change()
    } catch let error as StoreError where error.code == .preconditionFailed {
      var problem = Problem(error)
      problem.tag = center.session(id, of: application).map(EntityTag.of)
      throw problem
    }
  }

  private func described(
    _ id: SessionID, _ application: String?, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    let session = try center.board.reference(id, of: application)
    guard let published = center.published(session) else {
      throw StoreError.unknownSession(id, of: application)
    }
    var response = try JSON.response(published, status: status)
    response.headers[.eTag] = center.session(id, of: application).map { "\"\(EntityTag.of($0))\"" }
    return response
  }
}
