package import ArtworkModel

/// A player's own state: the properties of `org.mpris.MediaPlayer2.Player`.
package struct PlayerState: Sendable, Equatable {
  package enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  package enum Loop: String, Sendable {
    case none = "None"
    case track = "Track"
    case playlist = "Playlist"
  }

  package var status = Status.stopped
  /// Seconds of the item per second; not 0.
  package var rate = 1.0
  /// The position in seconds.
  package var position = 0.0
  package var track = Track([:])
  /// `nil` if the player has no such mode.
  package var loop: Loop?
  package var shuffle: Bool?
  /// The rates that it plays at; `nil` if it plays at one only.
  package var rates: ClosedRange<Double>?
  package var abilities: Abilities = []

  /// The player's claimed abilities: hints, not promises. `CanGoNext` is true on the last track of some players.
  package struct Abilities: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let control = Abilities(rawValue: 1)
    package static let play = Abilities(rawValue: 2)
    package static let pause = Abilities(rawValue: 4)
    package static let next = Abilities(rawValue: 8)
    package static let previous = Abilities(rawValue: 16)
    package static let seek = Abilities(rawValue: 32)

    fileprivate static let names: [(String, Abilities)] = [
      ("CanPlay", .play), ("CanPause", .pause), ("CanGoNext", .next),
      ("CanGoPrevious", .previous), ("CanSeek", .seek),
    ]
  }

  /// Reads properties. One that is absent, of another type or out of range has its default.
  package init(_ properties: [String: BusValue]) {
    status = properties["PlaybackStatus"]?.text.flatMap(Status.init(rawValue:)) ?? .stopped
    loop = properties["LoopStatus"]?.text.flatMap(Loop.init(rawValue:))
    shuffle = properties["Shuffle"]?.boolean
    track = Track(properties["Metadata"]?.dictionary ?? [:])
    let stated = properties["Rate"]?.number ?? 1
    // 64 is the fastest of known players; beyond it the position is meaningless. A rate of 0 means a pause.
    rate = stated != 0 && abs(stated) <= 64 ? stated : 1
    if stated == 0, status == .playing { status = .paused }
    // A player that does not know its position reports a negative one, or one beyond the end.
    let place = max(0, properties["Position"]?.number ?? 0) / Track.microseconds
    position = min(place, track.seconds ?? 31_536_000)
    let slowest = properties["MinimumRate"]?.number ?? 1
    let fastest = properties["MaximumRate"]?.number ?? 1
    if slowest < fastest { rates = slowest...fastest }
    // The default of a property that the specification demands.
    guard properties["CanControl"]?.boolean ?? true else { return }
    abilities.insert(.control)
    for (name, ability) in Abilities.names where properties[name]?.boolean ?? false {
      abilities.insert(ability)
    }
  }

  /// - Parameter now: when the position was read, in seconds since 1970.
  package func playback(at now: Double) -> PlaybackSnapshot {
    PlaybackSnapshot(
      state: status == .playing ? .playing(rate: rate) : .paused, elapsedSeconds: position,
      timestamp: now, duration: track.seconds.map { .finite($0) } ?? .unknown)
  }
}
