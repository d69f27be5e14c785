import Synchronization

/// Marks possible changes: any number of marks before the next read count as one, so that a flood costs no memory.
final class Signals: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func mark() { continuation.yield() }

  func finish() { continuation.finish() }

  /// Calls `read` after each mark, at most ten times per second and immediately after a pause, until ``finish()`` or
  /// until the task is cancelled.
  func whenMarked(
    isolation: isolated (any Actor)? = #isolation, _ read: () async -> Void
  ) async {
    // A player that sends a hundred signals per second costs ten reads.
    let interval = Duration.milliseconds(100)
    var earliest = ContinuousClock.now
    for await _ in stream {
      if .now < earliest, (try? await Task.sleep(until: earliest)) == nil { return }
      earliest = .now + interval
      await read()
    }
  }
}

/// Determines which player a message is from. Used on the thread of all buses.
final class SignalRouter: Sendable {
  private let players = Mutex<[String: PlayerSignals]>([:])

  /// - Parameter connection: a unique name.
  func add(_ signals: PlayerSignals, for connection: String) {
    players.withLock { $0[connection] = signals }
  }

  func remove(_ connection: String) { players.withLock { $0[connection] = nil } }

  /// Any message of a player indicates a change: a signal, or the reply to a call that has timed out.
  func deliver(_ message: BusMessage) {
    guard let sender = message.sender,
      let signals = players.withLock({ $0[sender] })
    else { return }
    if message.isFor(MPRIS.player, "Seeked") { signals.hasSought.store(true, ordering: .relaxed) }
    signals.all.mark()
  }
}

/// The signals of one player.
final class PlayerSignals: Sendable {
  let all = Signals()
  /// Whether the position jumped since the last read.
  let hasSought = Atomic(false)
}

/// The names of the specification (MPRIS D-Bus Interface Specification 2.2).
enum MPRIS {
  static let prefix = "org.mpris.MediaPlayer2."
  static let path = "/org/mpris/MediaPlayer2"
  static let root = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  /// The names under which sessions are exported to the desktop.
  static let own = "org.mpris.MediaPlayer2.artworkd"

  /// Whether a name is that of a player to follow. `playerctld` repeats another player, and our own would be a circle.
  static func isPlayer(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name != prefix + "playerctld" && name != own
      && !name.hasPrefix(own + ".")
  }

  /// The part of a player's name that identifies the program: `vlc` of `org.mpris.MediaPlayer2.vlc.instance123`.
  static func program(_ name: String) -> String {
    name.dropFirst(prefix.count).split(separator: ".").first.map(String.init) ?? name
  }
}
