import ArtworkModel

/// The commands of a player over its bus. A value made for one state of the player: a position refers to its track.
struct PlayerControl: Sendable {
  let bus: Bus
  /// The unique name of the player's connection.
  let owner: String
  let state: PlayerState

  /// Seconds of the skips that players have on keys.
  private static let intervals = [10.0, 30, 5]
  /// Speeds that players offer in menus.
  private static let speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3]

  /// The session's commands; empty for a player that cannot be controlled. Handlers do not run on the main actor,
  /// because `artworkd companion` blocks its main thread.
  var commands: [MediaCommand] {
    let abilities = state.abilities
    guard abilities.contains(.control) else { return [] }
    let canSeek = abilities.contains(.seek)
    let skips = OfferedCommand(preferredIntervals: Self.intervals)
    var commands = [
      MediaCommand(.play, perform).enabled(abilities.contains(.play)),
      MediaCommand(.pause, perform).enabled(abilities.contains(.pause)),
      MediaCommand(.togglePlayPause, perform)
        .enabled(!abilities.isDisjoint(with: [.play, .pause])),
      MediaCommand(.stop, perform),
      MediaCommand(.next, perform).enabled(abilities.contains(.next)),
      MediaCommand(.previous, perform).enabled(abilities.contains(.previous)),
      MediaCommand(.seekToPosition, perform).enabled(canSeek),
      MediaCommand(.skipForward, offering: skips, perform).enabled(canSeek),
      MediaCommand(.skipBackward, offering: skips, perform).enabled(canSeek),
    ]
    if let rates = state.rates {
      let speeds = OfferedCommand(
        supportedRates: Self.speeds.filter(rates.contains), rate: state.rate)
      commands.append(MediaCommand(.changePlaybackRate, offering: speeds, perform))
    }
    if let loop = state.loop {
      let mode = OfferedCommand(repeatMode: loop.mode)
      commands.append(MediaCommand(.changeRepeatMode, offering: mode, perform))
    }
    if let shuffle = state.shuffle {
      let mode = OfferedCommand(shuffleMode: shuffle ? .items : .off)
      commands.append(MediaCommand(.changeShuffleMode, offering: mode, perform))
    }
    return commands
  }

  private func perform(_ command: RequestedCommand) async throws -> CommandStatus {
    switch command.name {
    case .play: try await callMethod("Play")
    case .pause: try await callMethod("Pause")
    case .togglePlayPause: try await callMethod("PlayPause")
    case .stop: try await callMethod("Stop")
    case .next: try await callMethod("Next")
    case .previous: try await callMethod("Previous")
    case .seekToPosition: try await seek(to: command.position ?? 0)
    case .skipForward: try await skip(command.interval ?? 0)
    case .skipBackward: try await skip(-(command.interval ?? 0))
    case .changePlaybackRate: try await set("Rate", .double(command.rate ?? 1))
    case .changeRepeatMode:
      try await set("LoopStatus", .string(PlayerState.Loop(command.repeatMode ?? .off).rawValue))
    case .changeShuffleMode:
      try await set("Shuffle", .boolean(command.shuffleMode ?? .off != .off))
    default: .notSupported
    }
  }

  private func callMethod(_ method: String, _ arguments: [BusValue] = []) async throws
    -> CommandStatus
  {
    try await status { () async throws(BusError) -> Void in
      try await bus.call(.call(owner, MPRIS.path, MPRIS.player, method, arguments))
    }
  }

  private func set(_ property: String, _ value: BusValue) async throws -> CommandStatus {
    try await status { () async throws(BusError) -> Void in
      try await bus.call(
        .call(
          owner, MPRIS.path, "org.freedesktop.DBus.Properties", "Set",
          [.string(MPRIS.player), .string(property), .variant(value)]))
    }
  }

  private func skip(_ seconds: Double) async throws -> CommandStatus {
    try await callMethod("Seek", [.int64(ExportedState.microseconds(seconds))])
  }

  /// Players obey `SetPosition` for any track ID, so the current track is queried first.
  private func seek(to seconds: Double) async throws -> CommandStatus {
    let properties = try await bus.properties(of: MPRIS.player, at: MPRIS.path, by: owner)
    let now = PlayerState(properties)
    guard now.track.isSameItem(as: state.track) else { return .noSuchContent }
    guard let id = now.track.id, id.hasPrefix("/") else {
      // Without a track's path there is only the way from here.
      return try await skip(seconds - now.position)
    }
    return try await callMethod(
      "SetPosition", [.objectPath(id), .int64(ExportedState.microseconds(seconds))])
  }

  private func status(
    _ call: () async throws(BusError) -> Void
  ) async throws(BusError) -> CommandStatus {
    do throws(BusError) {
      try await call()
      return .success
    } catch .refused(let name) {
      return name.hasSuffix(".Failed") ? .failed : .notSupported
    }
  }
}

extension PlayerState.Loop {
  var mode: RepeatMode {
    switch self {
    case .none: .off
    case .track: .one
    case .playlist: .all
    }
  }

  init(_ mode: RepeatMode) {
    self =
      switch mode {
      case .off: .none
      case .one: .track
      case .all: .playlist
      }
  }
}
