import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import Synchronization
import SystemPackage

/// The session of one player process: reads the player after each of its signals, and publishes changes.
actor FollowedPlayer {
  /// A name on the bus and the connection that owns it. A process may have several: VLC has two.
  struct Connection: Hashable {
    var name: String
    /// The unique name.
    var owner: String
  }

  private let companion: Services
  private let id: SessionID
  private var connections: [Connection] = []
  nonisolated let signals = PlayerSignals()

  /// The state shared by all players.
  struct Services: Sendable {
    var bus: Bus
    var router: SignalRouter
    var client: ArtworkClient
    var lookup: ArtworkLookup
    var lookupTime: Duration
    var registry: ArtworkRegistry
    var imported: ImportedSessions
    var log: @Sendable (String) -> Void
  }

  private var application = ""
  private var identity = ""
  private var session = PlayerSession<HeldSession>()
  private var search: (track: Track, found: Task<Found, Never>, isReported: Bool)?

  /// The artwork of a track on disk.
  private struct Found: Sendable {
    var answer: ArtworkLookup.Answer
    var cover: ArtworkLookup.Cover?
    /// Why the player's own picture is not taken.
    var refusal: String?
  }
  private var settling: Task<Void, Never>?
  /// Whether the next read is the one after the player has settled.
  private var hasSettled = false
  private var retry: Task<Void, Never>?
  private var registering: Task<Void, Never>?
  private var trouble: String?

  /// - Parameter id: of the session, the same for as long as the process lives.
  init(_ id: SessionID, _ companion: Services) {
    self.id = id
    self.companion = companion
  }

  /// - Parameter connections: at least one; the first is queried.
  func connect(_ connections: [Connection]) {
    for old in Set(self.connections).subtracting(connections) { companion.router.remove(old.owner) }
    for new in connections { companion.router.add(signals, for: new.owner) }
    if self.connections.first != connections.first { application = "" }
    self.connections = connections
    signals.all.mark()
  }

  /// Follows the player until its last connection has closed.
  func run() async {
    await signals.all.whenMarked { await refresh() }
    settling?.cancel()
    retry?.cancel()
    end()
  }

  func stop() {
    for connection in connections { companion.router.remove(connection.owner) }
    connections = []
    signals.all.finish()
  }

  // MARK: Reading

  private func refresh() async {
    guard let connection = connections.first else { return }
    let hasSought = signals.hasSought.exchange(false, ordering: .relaxed)
    let state: PlayerState
    do throws(BusError) {
      if application.isEmpty { try await introduce(connection) }
      let properties = try await companion.bus.properties(
        of: MPRIS.player, at: MPRIS.path, by: connection.owner)
      state = PlayerState(properties)
    } catch .late {
      // Its answer, if it ever comes, is a signal.
      note("\(MPRIS.program(connection.name)) does not answer")
      return
    } catch {
      note("\(MPRIS.program(connection.name)): \(error)")
      return end()
    }
    let now = Date().timeIntervalSince1970
    guard state.status != .stopped else { return end() }
    await publish(state, of: connection, at: now, hasSought: hasSought)
    if !hasSettled { settle() }
    hasSettled = false
  }

  /// Learns the player's name.
  private func introduce(_ connection: Connection) async throws(BusError) {
    let program = MPRIS.program(connection.name)
    let properties = try await companion.bus.properties(
      of: MPRIS.root, at: MPRIS.path, by: connection.owner)
    func line(_ name: String) -> String? {
      properties[name]?.text.flatMap { $0.unicodeScalars.count <= 256 ? $0 : nil }
    }
    identity = line("Identity") ?? program
    application = line("DesktopEntry") ?? program
  }

  /// Reads the player again once it has settled: some send a signal before they change.
  private func settle() {
    settling?.cancel()
    settling = Task {
      guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
      hasSettled = true
      signals.all.mark()
    }
  }

  // MARK: Publishing

  private func publish(
    _ state: PlayerState, of connection: Connection, at now: Double, hasSought: Bool
  ) async {
    let content = state.track.content ?? MediaContent(kind: .generic, title: identity)
    guard session.see(content, hasEnded: \.isEnded) else { return }
    let found = await artwork(for: state.track)
    var videos: [ArtworkKey: ArtworkLookup.Video] = [:]
    if case .found(let all, _)? = found?.answer { videos = all }
    let commands = PlayerControl(bus: companion.bus, owner: connection.owner, state: state).commands
    var cover: ArtworkID?
    if let still = found?.cover { cover = await companion.registry.announce(still) }
    let wanted = MediaSession(
      application: application, content: content,
      artwork: await companion.registry.announce(videos), cover: cover,
      playback: state.playback(at: now),
      commands: Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0.offer) }))
    await send(wanted, commands, hasSought)
    register(videos, for: wanted, commands)
  }

  /// Has the service prepare the videos that it does not know, which takes seconds. The player is followed meanwhile.
  private func register(
    _ videos: [ArtworkKey: ArtworkLookup.Video], for wanted: MediaSession,
    _ commands: [MediaCommand]
  ) {
    guard registering == nil, companion.registry.lacks(videos) else { return }
    registering = Task {
      let registered = await companion.registry.register(videos)
      registering = nil
      if session.published == wanted {
        var complete = wanted
        complete.artwork = registered
        await send(complete, commands, false)
      } else if !companion.registry.lacks(videos) {
        // The next read finds them.
        signals.all.mark()
      }
    }
  }

  /// The artwork of a track. On a slow disk, the answer comes with a later read.
  private func artwork(for track: Track) async -> Found? {
    let isNew = search?.track != track
    if isNew {
      let finding = Task { [companion] in
        let answer = await companion.lookup.find(track)
        let (cover, refusal) = await companion.lookup.cover(of: track, with: answer)
        return Found(answer: answer, cover: cover, refusal: refusal)
      }
      search = (track, finding, false)
    }
    guard let finding = search?.found else { return nil }
    guard let found = await Deadline.first(of: companion.lookupTime, { await finding.value }) else {
      if isNew {
        Task {
          _ = await finding.value
          signals.all.mark()
        }
      }
      return nil
    }
    if search?.track == track, search?.isReported == false {
      search?.isReported = true
      report(found, of: track)
    }
    return found
  }

  private func report(_ found: Found, of track: Track) {
    let title = track.title ?? "a track without a title"
    if let refusal = found.refusal {
      companion.log("\(application): \(title): the player's picture is not taken: \(refusal)")
    }
    switch found.answer {
    case .found(_, let place): companion.log("\(application): \(title): artwork \(place)")
    case .none(let reason): companion.log("\(application): \(title): no artwork: \(reason)")
    }
  }

  private func send(
    _ wanted: MediaSession, _ commands: [MediaCommand], _ hasSought: Bool
  ) async {
    let effect = session.want(wanted) {
      Self.isSame(wanted, $0, tolerance: hasSought ? 0.1 : 1)
    }
    if case .nothing = effect { return }
    companion.imported.insert(SessionReference(wanted.application, id))
    do throws(ClientError) {
      switch effect {
      case .nothing: break
      case .later: return signals.all.mark()
      case .update(let held): try await held.update(wanted, commands: commands)
      case .hold:
        session.begin(try await companion.client.hold(wanted, as: id, commands: commands))
      }
      trouble = nil
    } catch {
      note("\(application): \(error)")
      session.fail()
      tryAgain()
    }
  }

  private func tryAgain() {
    retry?.cancel()
    retry = Task { [signals] in
      guard (try? await Task.sleep(for: .seconds(5))) != nil else { return }
      signals.all.mark()
    }
  }

  /// Whether two sessions differ at most in a position that follows from the other's.
  ///
  /// - Parameter tolerance: seconds.
  static func isSame(_ one: MediaSession, _ other: MediaSession, tolerance: Double) -> Bool {
    guard let new = one.playback, let old = other.playback, let now = new.timestamp else {
      return one == other
    }
    var still = one
    still.playback?.elapsedSeconds = old.elapsedSeconds
    still.playback?.timestamp = old.timestamp
    return still == other && abs(old.position(at: now) - new.position(at: now)) <= tolerance
  }

  /// Releases the session, which ends it; the sender of a stop command gets its answer first.
  private func end() {
    settling?.cancel()
    session.end()
  }

  /// Prints a problem, once.
  private func note(_ text: String) {
    if trouble != text { companion.log(text) }
    trouble = text
  }
}

/// The sessions that were ever published for players, and are therefore not exported to the desktop again. A session
/// that ends still exists for a moment, so none is forgotten: that costs a few bytes for each process that plays.
final class ImportedSessions: Sendable {
  private let sessions = Mutex<Set<SessionReference>>([])
  private let exports: Signals

  /// - Parameter exports: marked when there is a new one, which may have been exported before it was known.
  init(exports: Signals) { self.exports = exports }

  func insert(_ session: SessionReference) {
    if sessions.withLock({ $0.insert(session).inserted }) { exports.mark() }
  }
  func contains(_ session: SessionReference) -> Bool { sessions.withLock { $0.contains(session) } }
}

/// The artwork that the service knows from this companion.
final class ArtworkRegistry: Sendable {
  private let client: ArtworkClient
  private let log: @Sendable (String) -> Void
  /// Whether the service can use a video. An album's songs share one, so a few albums are enough.
  private let states = Mutex(noStates)
  private static var noStates: BoundedCache<ArtworkReference, Bool> { .init(.init(count: 256)) }
  /// The artwork that has a source in the service, whether or not it was prepared.
  private let announced = Mutex(noStates)

  init(_ client: ArtworkClient, log: @escaping @Sendable (String) -> Void) {
    self.client = client
    self.log = log
  }

  /// Whether the service has not yet been asked to prepare some of them.
  func lacks(_ videos: [ArtworkKey: ArtworkLookup.Video]) -> Bool {
    videos.contains { key, video in
      states.withLock { $0.value(for: ArtworkReference(video.artworkID, key)) } == nil
    }
  }

  /// The service may have other artwork than before.
  func forget(_ reference: ArtworkReference) {
    states.withLock { $0.removeValue(for: reference) }
    announced.withLock { $0.removeValue(for: reference) }
  }

  func forgetAll() {
    states.withLock { $0 = Self.noStates }
    announced.withLock { $0 = Self.noStates }
  }

  /// Registers the sources of videos that the service does not know, which costs no inspection: a session has their
  /// IDs, and the picture beside them as its cover, while the service still inspects them.
  ///
  /// - Returns: the IDs of all that may be used.
  func announce(_ videos: [ArtworkKey: ArtworkLookup.Video]) async -> [ArtworkKey: ArtworkID] {
    var usable: [ArtworkKey: ArtworkID] = [:]
    for (key, video) in videos {
      let reference = ArtworkReference(video.artworkID, key)
      switch states.withLock({ $0.value(for: reference) }) {
      case true?: usable[key] = video.artworkID
      case false?: break
      case nil:
        if await isNamed(reference, video.path) { usable[key] = video.artworkID }
      }
    }
    return usable
  }

  /// Registers the source of a static cover.
  ///
  /// - Returns: its ID; `nil` if the service refuses it.
  func announce(_ cover: ArtworkLookup.Cover) async -> ArtworkID? {
    await isNamed(ArtworkReference(coverOf: cover.artworkID), cover.path) ? cover.artworkID : nil
  }

  private func isNamed(_ reference: ArtworkReference, _ path: FilePath) async -> Bool {
    if announced.withLock({ $0.value(for: reference) }) == true { return true }
    do throws(ClientError) {
      _ = try await client.put(reference, ArtworkSource(file: path), prepares: false)
      announced.withLock { _ = $0.insert(true, for: reference) }
      return true
    } catch {
      // Preparing it reports the reason.
      return false
    }
  }

  /// The IDs of videos that the service has and can use.
  func known(_ videos: [ArtworkKey: ArtworkLookup.Video]) -> [ArtworkKey: ArtworkID] {
    videos.filter { key, video in
      states.withLock { $0.value(for: ArtworkReference(video.artworkID, key)) } == true
    }.mapValues(\.artworkID)
  }

  /// Has the service take in the videos that it does not know; it inspects them in workers.
  ///
  /// - Returns: the IDs of those that can be used.
  func register(
    _ videos: [ArtworkKey: ArtworkLookup.Video]
  ) async -> [ArtworkKey: ArtworkID] {
    for (key, video) in videos.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let reference = ArtworkReference(video.artworkID, key)
      guard states.withLock({ $0.value(for: reference) }) == nil else { continue }
      do throws(ClientError) {
        let record = try await client.put(reference, ArtworkSource(file: video.path))
        if record.status == .refused {
          log("\(video.path.string): \(record.error?.message ?? "the video cannot be used")")
        }
        states.withLock { _ = $0.insert(record.status != .refused, for: reference) }
      } catch {
        // Retried at the next read.
        log("\(video.path.string): \(error)")
      }
    }
    return known(videos)
  }
}
