package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization

/// What a service beside a player does: sessions, the store behind their artwork, and leases that live exactly as
/// long as a session publishes them.
///
/// A session ends when it is ended, when the process that owns it ends, or when the last connection that held it
/// closes and a moment has passed. A process that is stopped still owns its sessions, however long. Sessions and leases
/// outlive this object: the next one on the same folder continues with them.
package final class NowPlayingCenter: Sendable {
  package let store: AssetStore
  package let options: Options

  package struct Options: Sendable {
    /// The wall clock, for positions that are shown. Nothing is timed by it.
    package var secondsSince1970: @Sendable () -> Double = {
      let time = Duration.sinceEpoch
      return time / .seconds(1)
    }
    /// How long after its last connection a session ends: time enough to connect again, and less than the 5 s in
    /// which a dead player's files must go.
    package var grace: Duration = .seconds(2)
    /// How often owners are looked at.
    package var watchInterval: Duration = .seconds(1)
    /// The most sessions at once.
    package var sessions = 256
    /// Finds a process; `nil` when there is none.
    package var process: @Sendable (Int32) -> SessionOwner.Process? = { SessionOwner.Process($0) }
    /// Whether a process is still there.
    package var isAlive: @Sendable (SessionOwner.Process) -> Bool = { $0.isAlive }

    package init() {}
  }

  private struct State {
    var board: SessionBoard
    var owners: SessionOwners
    /// Sessions that nobody knows any more, whose leases stay.
    var lost: Set<SessionID>
    var listeners: [UInt64: AsyncStream<Event>.Continuation] = [:]
    var listenerCount: UInt64 = 0
  }

  private let state: Mutex<State>
  private let file: SessionFile

  /// Takes up the sessions of before. Leases that none of them names are released; if nobody knows the sessions of
  /// before any more, all are kept until those sessions are published or ended, or their owners have gone.
  ///
  /// - Throws: `failed`, `no-space`.
  package init(
    store: AssetStore, options: Options = Options()
  ) async throws(StoreError) {
    self.store = store
    self.options = options
    file = SessionFile(layout: store.core.layout)
    let file = file
    let record = try await store.onDisk { _ throws(StoreError) in file.read() }
    let board = record?.board ?? SessionBoard()
    // A connection that held a session which had ended is not there to hold the next of that name.
    let owners = record?.owners.filter { board.sessions[$0.session] != nil }
    state = Mutex(
      State(
        board: board, owners: SessionOwners(owners ?? []),
        lost: Set(store.leases().map(\.session)).intersection(
          record.map { $0.lost ?? [] } ?? store.leases().map(\.session))))
    store.observe { [weak self] reference in self?.tell(ofArtwork: reference) }
    _ = try await store.onDisk { [self] core throws(StoreError) in
      for (_, session) in board.sessions { core.judge(session.artwork) }
      return try release(nil, core)
    }
    try await endOrphans()
  }

  /// Looks after owners until its task is cancelled.
  package func watch() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: options.watchInterval)
      } catch {
        return
      }
      do throws(StoreError) {
        try await endOrphans()
      } catch {
        store.core.logger.error(
          "cannot end a session whose owner has gone", metadata: ["error": "\(error)"])
      }
    }
  }

  // MARK: Sessions

  /// Adds or replaces a session. Leases on artwork that it no longer names are released.
  ///
  /// - Parameter process: the owner's process; its end ends the session. `nil` keeps the owner that there is.
  /// - Returns: whether it is new.
  /// - Throws: `unknown-process` when there is no such process; `busy` for one too many; `failed`, `no-space`.
  @discardableResult
  package func publish(
    _ session: MediaSession, as id: SessionID, ownedBy process: Int32? = nil
  ) async throws(StoreError) -> Bool {
    var owner: SessionOwner.Process?
    if let process {
      owner = options.process(process)
      if owner == nil {
        throw StoreError(
          .unknownProcess, "there is no process \(process) that could own the session")
      }
    }
    let (owned, most) = (owner, options.sessions)
    let (isNew, _) = try await change(releasing: id, telling: .session(id, ended: false)) {
      state throws(StoreError) in
      let isNew = state.board.sessions[id] == nil
      guard !isNew || state.board.sessions.count < most else {
        throw StoreError(.busy, "there are \(most) sessions already")
      }
      state.board.publish(session, as: id)
      state.lost.remove(id)
      if let owned { state.owners[id].process = owned }
      return isNew
    }
    return isNew
  }

  /// Ends a session and releases its leases.
  ///
  /// - Returns: `false` when there is none.
  package func end(_ id: SessionID) async throws(StoreError) -> Bool {
    try await end(id) { _, _ in true }
  }

  /// - Parameter isOver: asked on the thread where sessions change, so that one that was taken up again stays; told who
  ///   owns it and whether it is published.
  private func end(
    _ id: SessionID,
    if isOver: @escaping @Sendable (SessionOwners.Owner, _ isPublished: Bool) -> Bool
  ) async throws(StoreError) -> Bool {
    // Also what a session that nobody knows any more has left.
    let (wasThere, released) = try await change(releasing: id) { state throws(StoreError) in
      guard isOver(state.owners[id], state.board.sessions[id] != nil) else { return false }
      state.lost.remove(id)
      state.owners.forget(id)
      return state.board.end(id)
    }
    return wasThere || released
  }

  package func session(_ id: SessionID) -> MediaSession? {
    state.withLock { $0.board.sessions[id] }
  }

  /// The process that owns a session, as far as that is known.
  package func owner(of id: SessionID) -> SessionOwner {
    state.withLock { state in
      SessionOwner(process: state.owners[id].process ?? state.owners[id].holders.first)
    }
  }

  /// - Throws: `unknown-session`.
  package func promote(_ id: SessionID, _ scope: SessionBoard.Scope) async throws(StoreError) {
    _ = try await change(telling: .primary(id, scope)) { state throws(StoreError) in
      guard state.board.promote(id, scope) else { throw Self.unknown(id) }
    }
  }

  package var conditions: DeviceConditions { state.withLock(\.board.conditions) }

  package func set(_ conditions: DeviceConditions) async throws(StoreError) {
    _ = try await change(telling: .conditions) { state throws(StoreError) in
      state.board.conditions = conditions
    }
  }

  package var board: SessionBoard { state.withLock(\.board) }

  package func nowPlaying() -> NowPlaying {
    board.nowPlaying(at: options.secondsSince1970()) { store.availability($0) }
  }

  // MARK: Holding a session by a connection

  /// Counts a connection that holds a session, which need not be published yet. When the last one is let go, the session
  /// ends after ``Options/grace``, unless a process owns it as well and lives.
  ///
  /// - Parameter peer: the process at the other end, if known: after a restart its end ends the session.
  package func hold(_ id: SessionID, peer: Int32? = nil) {
    let process = peer.flatMap(options.process)
    state.withLock { state in
      state.owners.count(1, id)
      state.owners[id].wasHeld = true
      if let process, !state.owners[id].holders.contains(process) {
        state.owners[id].holders.append(process)
      }
    }
    if process != nil { Task { await keepOwners() } }
  }

  /// - Parameter peer: as it was held.
  package func letGo(_ id: SessionID, peer: Int32? = nil) {
    let generation: UInt64? = state.withLock { state in
      guard state.owners[id].connections > 0 else { return nil }
      state.owners.count(-1, id)
      return state.owners[id].connections == 0 ? state.owners[id].generation : nil
    }
    guard let generation else { return }
    Task {
      try? await Task.sleep(for: options.grace)
      await endUnheld(id, generation)
    }
  }

  private func endUnheld(_ id: SessionID, _ generation: UInt64) async {
    let isUnheld = state.withLock { state in
      let owner = state.owners[id]
      guard owner.connections == 0, owner.generation == generation else { return false }
      state.owners[id].holders = []
      return true
    }
    guard isUnheld else { return }
    do throws(StoreError) {
      let isAlive = options.isAlive
      _ = try await end(id) { owner, _ in
        owner.connections == 0 && owner.generation == generation
          && !(owner.process.map(isAlive) ?? false)
      }
    } catch {
      store.core.logger.error(
        "cannot end a session whose connection has closed",
        metadata: ["session": "\(id)", "error": "\(error)"])
    }
  }

  private func keepOwners() async {
    do throws(StoreError) {
      _ = try await change { _ throws(StoreError) in }
    } catch {
      store.core.logger.warning("cannot keep who owns a session", metadata: ["error": "\(error)"])
    }
  }

  /// Ends the sessions whose owners have all gone, also those of leases that nobody knows the session of.
  ///
  /// - Throws: `failed`, `no-space`.
  package func endOrphans() async throws(StoreError) {
    let isAlive = options.isAlive
    let (owners, sessions) = state.withLock { ($0.owners, $0.board.sessions) }
    var gone = Set(owners.orphans(isAlive)).intersection(sessions.keys)
    for lease in store.leases()
    where sessions[lease.session] == nil && owners[lease.session].connections == 0 {
      if let process = lease.owner.process, !isAlive(process) { gone.insert(lease.session) }
    }
    var failure: StoreError?
    for id in gone {
      do throws(StoreError) {
        _ = try await end(id) { owner, isPublished in
          isPublished ? owner.isGone(isAlive) : owner.connections == 0
        }
      } catch {
        // The others go all the same.
        failure = error
      }
    }
    if let failure { throw failure }
  }

  // MARK: Video

  package enum VideoAnswer: Sendable, Equatable {
    case video(Lease)
    /// Why there is none, by the code of a ``StoreError`` or a presentation.
    case none(code: String, message: String)
  }

  /// The video of an artwork that a session publishes, for this session alone, until it stops publishing it. Asked
  /// again, it is the same file. Ends within `deadline` whatever the workers do; what was begun goes on.
  ///
  /// - Throws: `unknown-session`, `not-published`.
  package func video(
    for id: SessionID, _ key: ArtworkKey, within deadline: Duration
  ) async throws(StoreError) -> VideoAnswer {
    let reference = try published(id, key)
    let answer = await Deadline.first(of: deadline) {
      do throws(StoreError) {
        return VideoAnswer.video(try await self.lease(id, reference))
      } catch {
        return .none(code: error.code.rawValue, message: error.message)
      }
    }
    return answer
      ?? .none(
        code: StoreError.Code.late.rawValue,
        message: "\(reference) is not ready yet; ask again, it is being worked on")
  }

  private func lease(
    _ id: SessionID, _ reference: ArtworkReference
  ) async throws(StoreError) -> Lease {
    // What it has stays its own, whatever became of the store's copy and of the source.
    if let lease = store.core.lease(id, reference), lease.opens { return lease }
    // What is evicted before it is leased is fetched again; somebody who evicts all the time wins.
    for _ in 0..<3 {
      try await store.prepare(reference)
      let inTheWay = Presentation.rulesAgainstVideo(store.broken(reference) ?? [])
      guard inTheWay.isEmpty else {
        throw StoreError(
          .refused,
          "\(reference) breaks \(inTheWay.joined(separator: ", ")), so no system would show it")
      }
      let owner = owner(of: id)
      // On the thread where sessions are replaced, so that none is replaced in between.
      let lease = try await store.onDisk { [self] core throws(StoreError) -> Lease? in
        let published = state.withLock { $0.board.sessions[id]?.artwork[reference.key] }
        guard published == reference.artworkID else {
          throw StoreError(.notPublished, "the session no longer publishes \(reference)")
        }
        let former = core.lease(id, reference)
        let lease = try core.acquire(id, reference, owner: owner)
        if lease != former {
          if former != nil { tell(.lease(id, reference, released: true)) }
          if lease != nil { tell(.lease(id, reference, released: false)) }
        }
        return lease
      }
      if let lease { return lease }
    }
    throw StoreError(.noSpace, "\(reference) is evicted as soon as it is here")
  }

  private func published(_ id: SessionID, _ key: ArtworkKey) throws(StoreError) -> ArtworkReference
  {
    guard let session = session(id) else { throw Self.unknown(id) }
    guard let artworkID = session.artwork[key] else {
      throw StoreError(.notPublished, "the session publishes no \(key.rawValue) artwork")
    }
    return ArtworkReference(artworkID, key)
  }

  private static func unknown(_ id: SessionID) -> StoreError {
    StoreError(.unknownSession, "there is no session \(id): put it first")
  }

  // MARK: Changes

  /// Changes sessions and owners: on disk first, then for all to see.
  ///
  /// - Parameters:
  ///   - id: a session whose leases on artwork that it does not name are released with it.
  ///   - event: what listeners are told when it is done; leases and primaries that it moved they are told anyway.
  /// - Returns: what `body` returns, and whether a lease was released.
  private func change<R: Sendable>(
    releasing id: SessionID? = nil, telling event: Event? = nil,
    _ body: @escaping @Sendable (inout State) throws(StoreError) -> R
  ) async throws(StoreError) -> (R, released: Bool) {
    try await store.onDisk { [self] core throws(StoreError) -> (R, released: Bool) in
      // Only here are sessions changed, one change at a time; owners also elsewhere.
      var changed = state.withLock { State(board: $0.board, owners: $0.owners, lost: $0.lost) }
      let (board, before) = (changed.board, changed.owners)
      let result = try body(&changed)
      let record = SessionRecord(
        board: changed.board, owners: changed.owners.records, lost: Array(changed.lost))
      do throws(StoreError) {
        try file.write(record)
      } catch {
        // A full disk must not keep what nobody publishes any more.
        guard error.code == .noSpace, try core.evict(downTo: 0) > 0 else { throw error }
        try file.write(record)
      }
      state.withLock { state in
        state.board = changed.board
        state.lost = changed.lost
        state.owners.take(changed.owners, from: before)
      }
      if let session = id.flatMap({ changed.board.sessions[$0] }) { core.judge(session.artwork) }
      let released = try id.map { id throws(StoreError) in try release(id, core) } ?? []
      // Here, so that they are told in the order in which they happened.
      for lease in released { tell(.lease(lease.session, lease.reference, released: true)) }
      if let event { tell(event) }
      for id in board.sessions.keys where changed.board.sessions[id] == nil {
        tell(.session(id, ended: true))
      }
      for (id, scope) in changed.board.primaries(since: board)
      where event != .primary(id, scope) { tell(.primary(id, scope)) }
      return (result, !released.isEmpty)
    }
  }

  /// Releases leases on artwork that their sessions do not name.
  ///
  /// - Parameter id: of which session; `nil` for all.
  private func release(
    _ id: SessionID?, _ core: StoreCore
  ) throws(StoreError) -> [StoreState.Holding] {
    let (sessions, lost) = state.withLock { ($0.board.sessions, $0.lost) }
    let leases = core.state.withLock { state in
      state.leases.keys.filter { holding in
        (id == nil || holding.session == id) && !lost.contains(holding.session)
          && sessions[holding.session]?.artwork[holding.reference.key]
            != holding.reference.artworkID
      }
    }
    for lease in leases { try core.release(lease.session, lease.reference) }
    return leases
  }

  // MARK: Events

  /// What changed. Carries names only: whoever wants more asks for it.
  package enum Event: Sendable, Equatable {
    case session(SessionID, ended: Bool)
    case artwork(ArtworkReference, ArtworkStatus?)
    case primary(SessionID?, SessionBoard.Scope)
    case conditions
    case lease(SessionID, ArtworkReference, released: Bool)
    /// More happened than the listener took; ask for everything.
    case missed
  }

  /// Events from now on, at most `capacity` of them waiting; when more come, the oldest are dropped and `missed` is told.
  package func events(capacity: Int = 256) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = state.withLock { state in
      state.listenerCount += 1
      state.listeners[state.listenerCount] = continuation
      return state.listenerCount
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  private func tell(_ event: Event) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners {
      // The newest stay: the last that a slow listener reads is that it missed some.
      if case .dropped = listener.yield(event) { listener.yield(.missed) }
    }
  }

  private func tell(ofArtwork reference: ArtworkReference) {
    tell(.artwork(reference, store.status(reference)))
  }
}
