public import ArtworkModel

extension ArtworkClient {
  /// Asks the owner of a session to carry out a command, and waits for the answer for at most 5 s.
  ///
  /// - Returns: the outcome; check its `status`.
  /// - Throws: `unknown-session`, also if no session is shown; `command-not-offered`, `command-disabled`,
  ///   `live-content`, `not-listening`, `busy`; `bad-request` for an argument that the session does not accept.
  public func perform(
    _ command: RequestedCommand, for target: CommandTarget = .system
  ) async throws(ClientError) -> CommandOutcome {
    let (path, query): ([String], [(String, String)]) =
      switch target {
      case .session(let id, let application): (Self.path(id), Self.query(application))
      case .application(let application): (["v1", "applications", application], [])
      case .system: (["v1", "now-playing"], [])
      }
    let answer = try await send(
      "POST", path + ["commands"], query: query, body: try Self.json(command))
    return try Self.value(CommandOutcome.self, in: answer.body)
  }

  /// Answers a command that arrived on an event stream. A ``HeldSession`` with handlers does this automatically.
  ///
  /// - Throws: `unknown-command` if no request waits for the answer any more.
  public func answer(
    _ command: DeliveredCommand, _ answer: CommandAnswer
  ) async throws(ClientError) {
    _ = try await send(
      "POST", Self.path(command.session.id) + ["commands", "\(command.number)"],
      query: Self.query(command.session.application), body: try Self.json(answer))
  }
}
