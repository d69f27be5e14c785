package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization

/// The sessions of a service beside a player, with leases that last exactly as long as a session publishes the artwork.
///
/// A session ends on request, when the process that owns it ends, or when the last connection that held it has been
/// closed for ``Options/grace``. A stopped process still owns its sessions. Sessions and leases outlive this object: the
/// next one on the same folder continues with them.
package final class NowPlayingCenter: Sendable {
  package let store: AssetStore
  package let options: Options
  /// The clock that moves positions.
  package let time: SteadyTime

  package struct Options: Sendable {
    /// The wall clock.
    package var secondsSince1970: @Sendable () -> Double = SteadyTime.wall
    /// The clock of playback positions, which cannot be set.
    package var secondsSinceSystemStart: @Sendable () -> Double = SteadyTime.passed
    /// Identifies this run of the system.
    package var systemStart = SystemStart.identifier
    /// How long after its last connection a session ends: time enough to reconnect, and less than the 5 s in which the
    /// files of a dead player must be removed.
    package var grace: Duration = .seconds(2)
    /// How often the owners are checked.
    package var watchInterval: Duration = .seconds(1)
    /// How long an owner may take to answer a command: longer than a player takes, and not longer than a person waits.
    package var commandTimeout: Duration = .seconds(5)
    /// The most sessions at a time.
    package var sessions = 256
    /// Finds a process; `nil` when there is none.
    package var process: @Sendable (Int32) -> SessionOwner.Process? = { SessionOwner.Process($0) }
    package var isAlive: @Sendable (SessionOwner.Process) -> Bool = { $0.isAlive }

    package init() {}
  }

  struct State {
    var board: SessionRegistry
    var owners: SessionOwners
    /// Sessions that have leases and whose record was lost.
    var lost: Set<SessionReference>
    /// The last video of each session and key that was not there when it was asked for.
    var asked: [AskedVideo]
  }

  /// What listeners know of an artwork.
  private struct AnnouncedArtwork: Equatable {
    /// Without its leases and bytes, which follow from the rest.
    var record: ArtworkRecord
    var availability: ArtworkAvailability
    var renditions: Set<RenditionKey>
  }

  let state: Mutex<State>
  private let announced = Mutex<[ArtworkReference: AnnouncedArtwork]>([:])
  let listeners = EventListeners()
  /// Marked when sessions have changed.
  let (sessionChanges, sessionsDidChange) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Locked after `state` where both are.
  let desk = Mutex(CommandRouter())

  /// Continues with the sessions of before, and releases leases that none of them names. If the record of the sessions
  /// is lost, all leases are kept until their sessions are published or ended, or their owners have ended.
  ///
  /// - Throws: `failed`, `no-space`.
  package init(
    store: AssetStore, options: Options = Options()
  ) async throws(StoreError) {
    self.store = store
    self.options = options
    let record = try await store.onDisk { core throws(StoreError) in
      try core.readSessions()
    }
    // Positions go on by the clock of before, whatever was done to the wall clock meanwhile.
    let clock = record?.clock.flatMap { $0.system == options.systemStart ? $0 : nil }
    time = SteadyTime(
      start: clock?.start, wall: options.secondsSince1970, passed: options.secondsSinceSystemStart)
    let board = record?.board ?? SessionRegistry()
    // An owner without a session held one that had ended.
    let owners = record?.owners.filter { board.sessions[$0.session] != nil }
    let leased = Set(store.leaseOwners.map(\.session))
    state = Mutex(
      State(
        board: board, owners: SessionOwners(owners ?? []),
        lost: record?.lost.map(leased.intersection) ?? leased.subtracting(board.sessions.keys),
        asked: record?.asked ?? []))
    store.countPublishers { [weak self] reference in
      self?.state.withLock { state in
        state.board.sessions.values.count { $0.publishes(reference) }
      } ?? 0
    }
    store.observe { [weak self] reference in
      self?.notifyListeners(of: reference)
    }
    try await store.onDisk { [self] core throws(StoreError) in
      for (_, session) in board.sessions { core.judge(session.artwork) }
      try releaseStaleLeases(of: nil, core)
    }
    try await endOrphans()
    for asked in state.withLock(\.asked) { goOn(with: asked) }
    sessionsDidChange.yield()
  }

  /// Ends sessions whose owners have ended, until its task is cancelled. Without sessions it does not wake up, nor while all
  /// are held by connections, which report their ends.
  package func watch() async {
    for await _ in sessionChanges {
      while state.withLock({ $0.owners.areToBeWatched || !$0.lost.isEmpty }) {
        guard (try? await Task.sleep(for: options.watchInterval)) != nil else { return }
        await endOrphansAndReport()
      }
    }
  }

  private func endOrphansAndReport() async {
    do throws(StoreError) {
      try await endOrphans()
    } catch {
      store.logger.error(
        "cannot end a session whose owner has ended", metadata: ["error": "\(error)"])
    }
  }

  /// Reports a change of an artwork, unless it equals what was reported last.
  private func notifyListeners(of reference: ArtworkReference) {
    announced.withLock { announced in
      let artwork = store.describe(reference).map { record in
        var record = record
        (record.bytes, record.leases) = (nil, 0)
        return AnnouncedArtwork(
          record: record, availability: store.availability(reference),
          renditions: store.renditions(of: reference))
      }
      // One that was removed may never have been reported.
      guard artwork == nil || announced[reference] != artwork else { return }
      announced[reference] = artwork
      listeners.send(.artwork(reference, status: artwork?.record.status))
    }
  }
}

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
    return try await endSession(id) { state throws(StoreError) in
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
  func endSession(
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

extension NowPlayingCenter {
  /// The process that owns a session, if it is known.
  package func owner(of id: SessionReference) -> SessionOwner {
    SessionOwner(process: state.withLock { $0.owners.process(of: id) })
  }

  /// The session of a name that this process owns, or else the only one of that name.
  package func session(named name: SessionID, heldBy peer: Int32?) -> SessionReference? {
    let (board, owners) = state.withLock { ($0.board, $0.owners) }
    let known = board.sessions.keys.filter { $0.id == name }
    let own = known.filter { peer != nil && owners.process(of: $0)?.identifier == peer }
    return own.count == 1 ? own[0] : known.count == 1 ? known[0] : nil
  }

  /// Counts a connection that holds a session, which need not be published yet, and receives its commands. When the last
  /// connection is closed, the session ends after ``Options/grace``, unless a live process owns it as well.
  ///
  /// - Parameter peer: the process at the other end, if known. After a restart of the service its end ends the session.
  /// - Returns: what ``letGo(_:_:)`` takes.
  /// - Throws: `owned` while connections of another client hold it.
  package func hold(
    _ receiver: CommandRouter.Receiver, peer: Int32? = nil
  ) throws(StoreError) -> UInt64 {
    let (id, process) = (receiver.session, peer.flatMap(options.process))
    let number = try state.withLock { state throws(StoreError) in
      // To a process that was named, anybody may connect, such as the curl of a shell.
      let (owners, named) = (state.owners, state.owners.processes[id])
      guard !owners.isOwned(id, byOtherThan: process, naming: named, options.isAlive) else {
        throw StoreError.owned(id)
      }
      let number = desk.withLock { $0.open(receiver) }
      _ = state.owners.on(.opened(id, by: .init(number: number, process: process)), options.isAlive)
      return number
    }
    if process != nil { Task { await writeOwners() } }
    return number
  }

  /// Passes no more commands on to a connection that holds a session.
  ///
  /// - Parameter isReplaced: whether another client has taken the session over, of which it is notified.
  package func stopReceiving(_ holder: UInt64, isReplaced: Bool = false) {
    let (receiver, pending) = desk.withLock { ($0.receiver(holder), $0.close(holder)) }
    for command in pending {
      command.end(.ownerGone, "the owner closed its connection before it answered")
    }
    if isReplaced { receiver?.replaced() }
  }

  /// Counts a closed connection that was counted by ``hold(_:peer:)``.
  package func letGo(_ id: SessionReference, _ holder: UInt64) {
    guard
      case .expireLater(let turn) = state.withLock({
        $0.owners.on(.closed(id, number: holder), options.isAlive)
      })
    else { return }
    sessionsDidChange.yield()
    Task {
      try? await Task.sleep(for: options.grace)
      await endUnheld(id, turn)
    }
  }

  private func endUnheld(_ id: SessionReference, _ turn: UInt64) async {
    let effect = state.withLock { $0.owners.on(.expired(id, turn: turn), options.isAlive) }
    guard case .end = effect else { return }
    do throws(StoreError) {
      let isAlive = options.isAlive
      _ = try await endSession(id) { state throws(StoreError) in
        state.owners.isDue(id, turn: turn) && !(state.owners.processes[id].map(isAlive) ?? false)
      }
    } catch {
      store.logger.error(
        "cannot end a session whose connection has closed",
        metadata: ["session": "\(id)", "error": "\(error)"])
    }
  }

  private func writeOwners() async {
    do throws(StoreError) {
      _ = try await change { _ throws(StoreError) in }
    } catch {
      store.logger.warning("cannot record the owner of a session", metadata: ["error": "\(error)"])
    }
  }

  /// Ends the sessions whose owners have all ended, and releases the leases of lost sessions whose owners have.
  ///
  /// - Throws: `failed`, `no-space`.
  package func endOrphans() async throws(StoreError) {
    let isAlive = options.isAlive
    let (owners, sessions) = state.withLock { ($0.owners, $0.board.sessions) }
    var orphans = Set(owners.orphans(isAlive)).intersection(sessions.keys)
    for (session, owner) in store.leaseOwners
    where sessions[session] == nil && !owners.isHeld(session) {
      if let process = owner.process, !isAlive(process) { orphans.insert(session) }
    }
    var failure: StoreError?
    for id in orphans {
      do throws(StoreError) {
        _ = try await endSession(id) { state throws(StoreError) in
          state.board.sessions[id] == nil
            ? !state.owners.isHeld(id) : state.owners.haveEnded(id, isAlive)
        }
      } catch {
        // The other sessions end all the same.
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

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
