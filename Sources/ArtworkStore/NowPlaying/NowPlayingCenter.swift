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
  }

  /// What listeners know of an artwork.
  private struct AnnouncedArtwork: Equatable {
    var status: ArtworkStatus
    var source: ArtworkSource
    var digest: String?
    var error: StoreError?
    var renditions: Set<RenditionKey>
  }

  let state: Mutex<State>
  private let announced = Mutex<[ArtworkReference: AnnouncedArtwork]>([:])
  let listeners = EventListeners()
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
        lost: leased.intersection(record?.lost ?? leased)))
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
  }

  /// Ends sessions whose owners have ended, until its task is cancelled.
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
        store.logger.error(
          "cannot end a session whose owner has ended", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Reports a change of an artwork, unless it equals what was reported last.
  private func notifyListeners(of reference: ArtworkReference) {
    announced.withLock { announced in
      let artwork = store.describe(reference).map {
        AnnouncedArtwork(
          status: $0.status, source: $0.source, digest: $0.digest, error: $0.error,
          renditions: store.renditions(of: reference))
      }
      // One that was removed may never have been reported.
      guard artwork == nil || announced[reference] != artwork else { return }
      announced[reference] = artwork
      listeners.send(.artwork(reference, artwork?.status))
    }
  }

  // MARK: Changes

  /// Changes sessions and owners: first on disk, then in memory.
  ///
  /// - Parameters:
  ///   - id: a session whose leases on artwork that it does not name are released.
  ///   - news: sent when the change is done, beside the events for leases, ended sessions and primaries.
  ///   - owning: returns the event for the owners of sessions.
  /// - Returns: what `body` returns, and whether a lease was released.
  func change<R: Sendable>(
    releasing id: SessionReference? = nil, sending news: Event? = nil,
    owning: @escaping @Sendable (R) -> SessionOwners.Event? = { _ in nil },
    _ body: @escaping @Sendable (inout State) throws(StoreError) -> R
  ) async throws(StoreError) -> (R, released: Bool) {
    try await store.onDisk { [self] core throws(StoreError) -> (R, released: Bool) in
      // Sessions and their processes change only here, one change at a time; connections open and close meanwhile.
      let before = state.withLock { $0 }
      var changed = before
      let result = try body(&changed)
      let event = owning(result)
      if let event { _ = changed.owners.on(event, options.isAlive) }
      try core.write(
        SessionRecord(
          board: changed.board, owners: changed.owners.records, lost: changed.lost,
          clock: options.systemStart.map { .init(system: $0, start: time.start) }))
      state.withLock { state in
        state.board = changed.board
        state.lost = changed.lost
        state.owners.processes = changed.owners.processes
        if let event { _ = state.owners.on(event, options.isAlive) }
      }
      if let session = id.flatMap({ changed.board.sessions[$0] }) {
        core.judge(session.artwork)
      }
      // The change is made: whatever becomes of its leases, the events of it are sent first.
      var failure: StoreError?
      // Sent from this thread, so that events arrive in the order of the changes.
      var hasReleased = false
      if let id {
        do throws(StoreError) {
          try releaseStaleLeases(of: id, core) { lease in
            hasReleased = true
            listeners.send(
              .lease(lease.session, lease.reference, rendition: lease.rendition, released: true))
          }
        } catch {
          failure = error
        }
      }
      if let news { listeners.send(news) }
      for id in before.board.sessions.keys where changed.board.sessions[id] == nil {
        endCommands(of: id)
        listeners.send(.session(id, ended: true))
      }
      for (id, scope) in changed.board.primaries(since: before.board)
      where news != .primary(id, scope) { listeners.send(.primary(id, scope)) }
      for application in changed.board.applicationsWithoutPrimary(since: before.board) {
        listeners.send(.noPrimary(application: application))
      }
      if let failure { throw failure }
      return (result, hasReleased)
    }
  }

  /// Releases leases on artwork that their sessions do not publish.
  ///
  /// - Parameters:
  ///   - id: the session; `nil` for all.
  ///   - released: called for each, once it is released.
  private func releaseStaleLeases(
    of id: SessionReference?, _ core: StoreCore,
    _ released: (StoreState.LeaseKey) -> Void = { _ in }
  ) throws(StoreError) {
    let (sessions, lost) = state.withLock { ($0.board.sessions, $0.lost) }
    let stale = core.state.withLock({ Array($0.leases.keys) }).filter { lease in
      (id == nil || lease.session == id) && !lost.contains(lease.session)
        && sessions[lease.session]?.publishes(lease.reference) != true
    }
    for lease in stale {
      try core.release(lease)
      released(lease)
    }
  }
}
