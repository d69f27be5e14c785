import ArtworkModel
import ArtworkPipeline
import NIOHTTP1

/// Commands, which their askers send and the owners of sessions answer.
struct CommandRoutes: Sendable {
  let center: NowPlayingCenter

  var routes: [Route] {
    [
      Route(.POST, "/v1/sessions/{id}/commands", askSession),
      Route(.POST, "/v1/sessions/{id}/commands/{number}", answer),
      Route(.POST, "/v1/applications/{application}/commands", askApplication),
      Route(.POST, "/v1/now-playing/commands", askSystem),
    ]
  }

  @Sendable private func askSession(_ request: Request) async throws -> Response {
    let (id, application) = try request.session(try request.query(["application"]))
    return try await ask(.session(id, of: application), request)
  }

  @Sendable private func askApplication(_ request: Request) async throws -> Response {
    _ = try request.query()
    guard
      let application = request.parameters["application"].flatMap({ PercentEncoding.decode($0) })
    else { throw Problem.badRequest("the application must be percent-encoded UTF-8") }
    return try await ask(.application(application), request)
  }

  @Sendable private func askSystem(_ request: Request) async throws -> Response {
    _ = try request.query()
    return try await ask(.system, request)
  }

  /// Answers when the owner has, with its status.
  private func ask(
    _ target: CommandTarget, _ request: Request
  ) async throws -> Response {
    let command = try request.json(RequestedCommand.self, as: "CommandRequest")
    return try JSON.response(try await center.perform(command, for: target))
  }

  @Sendable private func answer(_ request: Request) async throws -> Response {
    let (id, application) = try request.session(try request.query(["application"]))
    guard let text = request.parameters["number"], let number = UInt64(plainDigits: text)
    else { throw Problem.badRequest("the number must be that of a command event") }
    let answer = try request.json(CommandAnswer.self, as: "CommandAnswer")
    try center.answer(number, of: id, of: application, answer)
    return Response(.noContent)
  }
}
