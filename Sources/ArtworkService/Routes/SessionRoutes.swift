import ArtworkModel
import ArtworkPipeline
import NIOHTTP1

/// Sessions, which players publish.
struct SessionRoutes: Sendable {
  let center: NowPlayingCenter

  var routes: [Route] {
    [
      Route(.GET, "/v1/sessions", list),
      Route(.PUT, "/v1/sessions/{id}", put),
      Route(.PATCH, "/v1/sessions/{id}", patch),
      Route(.GET, "/v1/sessions/{id}", get),
      Route(.DELETE, "/v1/sessions/{id}", delete),
      Route(.POST, "/v1/sessions/{id}/primary", promote),
      Route(.DELETE, "/v1/sessions/{id}/primary", demote),
    ]
  }

  private struct Promotion: Decodable { var scope: SessionRegistry.Scope? }

  @Sendable private func list(_ request: Request) throws -> Response {
    _ = try request.query()
    let sessions = center.nowPlaying().sessions.compactMap {
      center.published(SessionReference($0.session.application, $0.id))
    }
    return try JSON.response(["sessions": sessions])
  }

  @Sendable private func put(_ request: Request) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try request.identity("id", isNew: true)
    let published = try request.json(SessionRequest.self, as: "SessionRequest")
    let session = published.session.received(by: center.time)
    let isNew = try await reporting(id, session.application) {
      try await center.publish(
        session, as: id, ownedBy: published.ownerProcess, from: request.connection.peer,
        takingOver: request.field("if-match") != nil, if: EntityTag.condition(request))
    }
    return try described(id, session.application, status: isNew ? .created : .ok)
  }

  /// Changes the fields in a merge patch.
  @Sendable private func patch(_ request: Request) async throws -> Response {
    let query = try request.query(["application"])
    let id: SessionID = try request.identity("id")
    let patch = try SessionPatch(
      try request.body(of: ["application/merge-patch+json", "application/json"]))
    let time = center.time
    let application = query["application"] ?? patch.application
    try await reporting(id, application) {
      try await center.revise(id, of: application, if: EntityTag.condition(request)) {
        former throws(StoreError) in
        do throws(Problem) {
          var before = former
          before.session = former.session.sent(by: time)
          var revised = try patch.revised(before, at: time.now + time.lead)
          revised.session = revised.session.received(by: time)
          return revised
        } catch {
          throw StoreError(.badRequest, error.detail ?? error.title)
        }
      }
    }
    return try described(id, application, isBrief: patch.isOfPlayback)
  }

  @Sendable private func get(_ request: Request) throws -> Response {
    let (id, application) = try request.session(try request.query(["application"]))
    return try described(id, application)
  }

  @Sendable private func delete(_ request: Request) async throws -> Response {
    let (id, application) = try request.session(try request.query(["application"]))
    let wasThere = try await reporting(id, application) {
      try await center.end(id, of: application, if: EntityTag.condition(request))
    }
    guard wasThere else { throw StoreError.unknownSession(id, of: application) }
    return Response(.noContent)
  }

  @Sendable private func promote(_ request: Request) async throws -> Response {
    let (id, application) = try request.session(try request.query(["application"]))
    let promotion = try request.json(Promotion.self, as: "Promotion")
    try await center.promote(id, of: application, promotion.scope ?? .application)
    return Response(.noContent)
  }

  @Sendable private func demote(_ request: Request) async throws -> Response {
    let query = try request.query(["scope", "application"])
    let (id, application) = try request.session(query)
    guard let scope = SessionRegistry.Scope(rawValue: query["scope"] ?? "application") else {
      let known = SessionRegistry.Scope.allCases.map(\.rawValue).joined(separator: " or ")
      throw Problem.badRequest("scope must be \(known)")
    }
    try await center.demote(id, of: application, scope)
    return Response(.noContent)
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

  /// - Parameter isBrief: whether the answer is to a player that reports its position, and has none of the content, with its
  ///   pictures.
  private func described(
    _ id: SessionID, _ application: String?, status: HTTPResponseStatus = .ok,
    isBrief: Bool = false
  ) throws -> Response {
    let session = try center.board.reference(id, of: application)
    guard var published = center.published(session) else {
      throw StoreError.unknownSession(id, of: application)
    }
    if isBrief {
      published.session = MediaSession(
        application: session.application, playback: published.session.playback)
    }
    var response = try JSON.response(published, status: status)
    if let session = center.session(id, of: application) {
      response.headers.add(name: "ETag", value: "\"\(EntityTag.of(session))\"")
    }
    return response
  }
}
