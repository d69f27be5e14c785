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
