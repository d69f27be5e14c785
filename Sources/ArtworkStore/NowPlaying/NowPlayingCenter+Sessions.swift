package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// Adds or replaces a session. Leases on artwork that it no longer names are released.
  ///
  /// - Parameter process: the process that owns the session from now on; its end ends the session. `nil` keeps the
  ///   present owner.
  /// - Returns: whether the session is new.
  /// - Throws: `unknown-process` when there is no such process; `busy` when there are too many sessions; `failed`,
  ///   `no-space`.
  @discardableResult
  package func publish(
    _ session: MediaSession, as id: SessionID, ownedBy process: Int32? = nil
  ) async throws(StoreError) -> Bool {
    let owner = try process.map { process throws(StoreError) in try self.process(process) }
    let limit = options.sessions
    let (isNew, _) = try await change(releasing: id, sending: .session(id, ended: false)) {
      state throws(StoreError) in
      let isNew = state.board.sessions[id] == nil
      guard !isNew || state.board.sessions.count < limit else {
        throw StoreError(.busy, "session limit reached (\(limit)); end a session first")
      }
      state.board.publish(session, as: id)
      state.lost.remove(id)
      if let owner { state.owners[id].process = owner }
      return isNew
    }
    return isNew
  }

  /// Changes a session in one step: no other change comes in between.
  ///
  /// - Parameter revise: makes the new session of the present one. Its owner is the process that was named when the
  ///   session was published.
  /// - Throws: `unknown-session`, `unknown-process`, `failed`, `no-space`, and what `revise` throws.
  package func revise(
    _ id: SessionID,
    _ revise: @escaping @Sendable (SessionRequest) throws(StoreError) -> SessionRequest
  ) async throws(StoreError) {
    _ = try await change(releasing: id, sending: .session(id, ended: false)) {
      [self]
      state throws(StoreError) in
      guard let session = state.board.sessions[id] else { throw StoreError.unknownSession(id) }
      let former = state.owners[id].process?.identifier
      let revised = try revise(SessionRequest(session: session, ownerProcess: former))
      if revised.ownerProcess != former {
        state.owners[id].process = try revised.ownerProcess.map { number throws(StoreError) in
          try process(number)
        }
      }
      state.board.publish(revised.session, as: id)
    }
  }

  private func process(_ number: Int32) throws(StoreError) -> SessionOwner.Process {
    guard let process = options.process(number) else {
      throw StoreError(
        .unknownProcess, "process \(number) does not exist, so it cannot own a session")
    }
    return process
  }

  /// Ends a session and releases its leases.
  ///
  /// - Returns: `false` when the session is unknown.
  package func end(_ id: SessionID) async throws(StoreError) -> Bool {
    try await end(id) { _, _ in true }
  }

  /// Ends a session if it still should end when its turn comes: it may have been published again meanwhile.
  ///
  /// - Parameter shouldEnd: receives the session's owner and whether the session is published.
  func end(
    _ id: SessionID,
    if shouldEnd: @escaping @Sendable (SessionOwners.Owner, _ isPublished: Bool) -> Bool
  ) async throws(StoreError) -> Bool {
    // Also releases the leases of a session whose record was lost.
    let (wasThere, released) = try await change(releasing: id) { state throws(StoreError) in
      guard shouldEnd(state.owners[id], state.board.sessions[id] != nil) else { return false }
      state.lost.remove(id)
      state.owners.forget(id)
      return state.board.end(id)
    }
    return wasThere || released
  }

  package func session(_ id: SessionID) -> MediaSession? {
    state.withLock { $0.board.sessions[id] }
  }

  /// - Throws: `unknown-session`.
  package func promote(_ id: SessionID, _ scope: SessionBoard.Scope) async throws(StoreError) {
    _ = try await change(sending: .primary(id, scope)) { state throws(StoreError) in
      guard state.board.promote(id, scope) else { throw StoreError.unknownSession(id) }
    }
  }

  /// Takes the promotion of a session back.
  ///
  /// - Throws: `unknown-session`.
  package func demote(_ id: SessionID, _ scope: SessionBoard.Scope) async throws(StoreError) {
    _ = try await change { state throws(StoreError) in
      guard state.board.demote(id, scope) else { throw StoreError.unknownSession(id) }
    }
  }

  package var conditions: DeviceConditions { state.withLock(\.board.conditions) }

  package func set(_ conditions: DeviceConditions) async throws(StoreError) {
    _ = try await change(sending: .conditions) { state throws(StoreError) in
      state.board.conditions = conditions
    }
  }

  package var board: SessionBoard { state.withLock(\.board) }

  package func nowPlaying() -> NowPlaying {
    board.nowPlaying(at: options.secondsSince1970()) { store.availability($0) }
  }
}

extension StoreError {
  package static func unknownSession(_ id: SessionID) -> StoreError {
    StoreError(.unknownSession, "no session \(id); PUT one first")
  }
}
