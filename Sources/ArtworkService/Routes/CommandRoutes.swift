import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird

/// Commands, which their askers send and the owners of sessions answer.
struct CommandRoutes: Sendable {
  let center: NowPlayingCenter

  func add(to router: Router<ServiceContext>) {
    router.post("/v1/sessions/{id}/commands", use: askSession)
    router.post("/v1/sessions/{id}/commands/{number}", use: answer)
    router.post("/v1/applications/{application}/commands", use: askApplication)
    router.post("/v1/now-playing/commands", use: askSystem)
  }

  @Sendable private func askSession(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let (id, application) = try context.session(try request.query(["application"]))
    return try await ask(.session(id, of: application), request, context)
  }

  @Sendable private func askApplication(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    guard
      let application = context.coreContext.parameters.get("application")
        .flatMap({ PercentEncoding.decode($0) })
    else { throw Problem.badRequest("the application must be percent-encoded UTF-8") }
    return try await ask(.application(application), request, context)
  }

  @Sendable private func askSystem(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    return try await ask(.system, request, context)
  }

  /// Answers when the owner has, with its status.
  private func ask(
    _ target: CommandTarget, _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let command = try await request.json(RequestedCommand.self, context)
    return try JSON.response(try await center.perform(command, for: target))
  }

  @Sendable private func answer(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let (id, application) = try context.session(try request.query(["application"]))
    guard let text = context.coreContext.parameters.get("number"),
      let number = UInt64(plainDigits: text[...])
    else { throw Problem.badRequest("the number must be that of a command event") }
    let answer = try await request.json(CommandAnswer.self, context)
    try center.answer(number, of: id, of: application, answer)
    return Response(status: .noContent)
  }
}
