package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// What a client expects of the session that it changes: it receives the present one, `nil` if there is none.
  package typealias Condition = @Sendable (MediaSession?) throws(StoreError) -> Void

  /// Adds or replaces a session. Leases on artwork that it no longer names are released.
  ///
  /// - Parameters:
  ///   - process: the process that owns the session from now on; its end ends the session. `nil` keeps the present owner
  ///     if it lives.
  ///   - peer: the process that publishes it; `nil` if that is not known.
  ///   - takesOver: whether it may be the session of another client, which holds it no more then.
  /// - Returns: whether the session is new.
  /// - Throws: `owned` while another client holds it or another process owns it; `unknown-process` when there is no such
  ///   process; `busy` when there are too many sessions; `failed`, `no-space`, and what `condition` throws.
  @discardableResult
  package func publish(
    _ session: MediaSession, as name: SessionID, ownedBy process: Int32? = nil,
    from peer: Int32? = nil, takingOver takesOver: Bool = false,
    if condition: @escaping Condition = { _ in }
  ) async throws(StoreError) -> Bool {
    let id = SessionReference(session.application, name)
    let owner = try process.map { process throws(StoreError) in try self.process(process) }
    let client = peer.flatMap(options.process)
    let (limit, isAlive) = (options.sessions, options.isAlive)
    typealias Published = (isNew: Bool, event: SessionOwners.Event)
    let event: @Sendable (Published) -> SessionOwners.Event? = { $0.event }
    let (published, _) = try await change(
      releasing: id, sending: .session(id, ended: false), owning: event
    ) { state throws(StoreError) -> Published in
      let former = state.board.sessions[id]
      try condition(former)
      let isOwned = state.owners.isOwned(id, byOtherThan: client, naming: owner, isAlive)
      guard !isOwned || takesOver else { throw StoreError.owned(id) }
      guard former != nil || state.board.sessions.count < limit else {
        throw StoreError(.busy, "session limit reached (\(limit)); end a session first")
      }
      state.board.publish(session, as: name)
      state.lost.remove(id)
      if let owner {
        state.owners.processes[id] = owner
      } else if let former = state.owners.processes[id], isOwned || !isAlive(former) {
        state.owners.processes[id] = nil
      }
      return (former == nil, isOwned ? .taken(id, by: client) : .published(id))
    }
    return published.isNew
  }

  /// Changes a session in one step: no other change comes in between.
  ///
  /// - Parameters:
  ///   - application: of the session; `nil` for the only one of that name.
  ///   - revise: makes the new session of the present one. Its owner is the process that was named when the session was
  ///     published.
  /// - Throws: `unknown-session`, `ambiguous-session`, `unknown-process`, `failed`, `no-space`, and what `condition` and
  ///   `revise` throw.
  package func revise(
    _ name: SessionID, of application: String? = nil, if condition: @escaping Condition = { _ in },
    _ revise: @escaping @Sendable (SessionRequest) throws(StoreError) -> SessionRequest
  ) async throws(StoreError) {
    let id = try board.reference(name, of: application)
    _ = try await change(releasing: id, sending: .session(id, ended: false)) {
      [self]
      state throws(StoreError) in
      guard let session = state.board.sessions[id] else {
        throw StoreError.unknownSession(name, of: id.application)
      }
      try condition(session)
      let former = state.owners.processes[id]?.identifier
      let revised = try revise(SessionRequest(session: session, ownerProcess: former))
      if revised.ownerProcess != former {
        state.owners.processes[id] = try revised.ownerProcess.map { number throws(StoreError) in
          try process(number)
        }
      }
      state.board.publish(revised.session, as: name)
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
  /// - Parameter application: of the session; `nil` for the only one of that name.
  /// - Returns: `false` when the session is unknown.
  /// - Throws: `ambiguous-session`, `failed`, `no-space`, and what `condition` throws.
  package func end(
    _ name: SessionID, of application: String? = nil, if condition: @escaping Condition = { _ in }
  ) async throws(StoreError) -> Bool {
    guard let id = try ending(name, of: application) else { return false }
    return try await end(id) { state throws(StoreError) in
      if let session = state.board.sessions[id] { try condition(session) }
      return true
    }
  }

  /// The session of a name, also one whose record was lost while it has leases.
  private func ending(
    _ name: SessionID, of application: String?
  ) throws(StoreError) -> SessionReference? {
    let state = state.withLock { $0 }
    do throws(StoreError) {
      return try state.board.reference(name, of: application)
    } catch {
      guard error.code == .unknownSession else { throw error }
      return state.lost.first {
        $0.id == name && (application == nil || $0.application == application)
      }
    }
  }

  /// Ends a session if it still should end when its turn comes: it may have been published again meanwhile.
  func end(
    _ id: SessionReference,
    if shouldEnd: @escaping @Sendable (State) throws(StoreError) -> Bool
  ) async throws(StoreError) -> Bool {
    // Also releases the leases of a session whose record was lost.
    let ended: @Sendable (Bool?) -> SessionOwners.Event? = { $0 == nil ? nil : .ended(id) }
    let (wasThere, released) = try await change(releasing: id, owning: ended) {
      state throws(StoreError) -> Bool? in
      guard try shouldEnd(state) else { return nil }
      state.lost.remove(id)
      state.owners.processes[id] = nil
      return state.board.end(id)
    }
    return wasThere == true || released
  }

  /// A session by the clock of the service; see ``published(_:)`` for what is reported of it.
  ///
  /// - Parameter application: of the session; `nil` for the only one of that name.
  package func session(_ name: SessionID, of application: String? = nil) -> MediaSession? {
    let board = board
    return (try? board.reference(name, of: application)).flatMap { board.sessions[$0] }
  }

  /// - Throws: `unknown-session`, `ambiguous-session`; `not-eligible` with the reason.
  package func promote(
    _ name: SessionID, of application: String? = nil, _ scope: SessionRegistry.Scope
  ) async throws(StoreError) {
    let id = try board.reference(name, of: application)
    _ = try await change(sending: .primary(id, scope)) { state throws(StoreError) in
      if let reason = state.board.sessions[id]?.ineligibility {
        throw StoreError(.notEligible, "\(id) cannot be primary: \(reason.message)")
      }
      guard state.board.promote(id, scope) else { throw StoreError.unknownSession(name) }
    }
  }

  /// Takes the promotion of a session back.
  ///
  /// - Throws: `unknown-session`, `ambiguous-session`.
  package func demote(
    _ name: SessionID, of application: String? = nil, _ scope: SessionRegistry.Scope
  ) async throws(StoreError) {
    let id = try board.reference(name, of: application)
    _ = try await change { state throws(StoreError) in
      guard state.board.demote(id, scope) else { throw StoreError.unknownSession(name) }
    }
  }

  package var conditions: DeviceConditions { state.withLock(\.board.conditions) }

  package func set(_ conditions: DeviceConditions) async throws(StoreError) {
    _ = try await change(sending: .conditions(conditions)) { state throws(StoreError) in
      state.board.conditions = conditions
    }
  }

  /// A session with its owner; `nil` for an unknown one.
  package func published(_ id: SessionReference) -> PublishedSession? {
    guard var published = board.published(id) else { return nil }
    published.session = published.session.sent(by: time)
    published.ownerProcess = owner(of: id).process?.identifier
    return published
  }

  /// The sessions that publish an artwork.
  package func publishers(of reference: ArtworkReference) -> Set<SessionReference> {
    Set(board.sessions.filter { $0.value.publishes(reference) }.keys)
  }

  package var board: SessionRegistry { state.withLock(\.board) }

  package func nowPlaying() -> NowPlaying {
    board.nowPlaying(at: time.now) { store.availability($0) }.sent(by: time)
  }
}
