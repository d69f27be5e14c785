package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// Sends a command to the owner of a session and waits for its answer, at most ``Options/commandTimeout``. A task that is
  /// cancelled gives the command up.
  ///
  /// - Throws: `unknown-session`, `ambiguous-session`; what ``ArtworkModel/MediaSession/admitted(_:to:at:)`` and
  ///   ``ArtworkModel/CommandRouter/send(_:to:at:finish:)`` throw.
  package func perform(
    _ command: RequestedCommand, for target: CommandTarget
  ) async throws(StoreError) -> CommandOutcome {
    let (outcomes, continuation) = AsyncStream.makeStream(of: CommandOutcome.self)
    let sent = try send(command, for: target) {
      continuation.yield($0)
      continuation.finish()
    }
    let timeout = options.commandTimeout
    let waiting = Task {
      try await Task.sleep(for: timeout)
      desk.withLock { $0.giveUp(sent.number) }?.end(
        .timedOut, "the owner did not answer in time")
    }
    defer { waiting.cancel() }
    for await outcome in outcomes { return outcome }
    // Nobody waits any more.
    _ = desk.withLock { $0.giveUp(sent.number) }
    return CommandOutcome(sent, .timedOut)
  }

  /// Under the lock of the sessions, so that one that ends meanwhile takes its commands along.
  private func send(
    _ command: RequestedCommand, for target: CommandTarget,
    finish: @escaping @Sendable (CommandOutcome) -> Void
  ) throws(StoreError) -> DeliveredCommand {
    let (now, lead) = (time.now, time.lead)
    return try state.withLock { state throws(StoreError) in
      let id = try state.board.recipient(of: target)
      guard let session = state.board.sessions[id] else {
        throw StoreError.unknownSession(id.id, of: id.application)
      }
      let admitted = try session.admitted(command, to: id.id, at: now)
      return try desk.withLock { desk throws(StoreError) in
        try desk.send(admitted, to: id, at: now + lead, finish: finish)
      }
    }
  }

  /// The owner's answer to a command.
  ///
  /// - Throws: `unknown-session`, `ambiguous-session`; `unknown-command` for one that does not wait for an answer.
  package func answer(
    _ number: UInt64, of name: SessionID, of application: String?, _ answer: CommandAnswer
  ) throws(StoreError) {
    let id = try board.reference(name, of: application)
    try desk.withLock { desk throws(StoreError) in try desk.answer(number, of: id) }.end(answer)
  }

  /// Ends the commands of a session that has ended.
  func endCommands(of id: SessionReference) {
    for command in desk.withLock({ $0.end(id) }) {
      command.end(.sessionEnded, "the session ended before its owner answered")
    }
  }
}

extension SessionRegistry {
  /// - Throws: `unknown-session`, `ambiguous-session`.
  fileprivate func recipient(of target: CommandTarget) throws(StoreError) -> SessionReference {
    switch target {
    case .session(let id, let application): return try reference(id, of: application)
    case .application(let application):
      if let primary = applicationPrimary(of: application) { return primary }
      throw StoreError(.unknownSession, "\(application) has no primary session")
    case .system:
      if let primary = systemPrimary { return primary }
      throw StoreError(.unknownSession, "no session is shown")
    }
  }
}
