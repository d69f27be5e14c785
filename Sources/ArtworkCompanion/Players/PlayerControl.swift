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

  /// What the session offers; nothing for a player that cannot be controlled.
  var commands: [MediaCommand] {
    let abilities = state.abilities
    guard abilities.contains(.control) else { return [] }
    var commands: [MediaCommand] = [
      .play { try await tell("Play") }.enabled(abilities.contains(.play)),
      .pause { try await tell("Pause") }.enabled(abilities.contains(.pause)),
      .togglePlayPause { try await tell("PlayPause") }
        .enabled(!abilities.isDisjoint(with: [.play, .pause])),
      .stop { try await tell("Stop") },
      .next { try await tell("Next") }.enabled(abilities.contains(.next)),
      .previous { try await tell("Previous") }.enabled(abilities.contains(.previous)),
    ]
    let canSeek = abilities.contains(.seek)
    commands += [
      .seekToPosition { try await seek(to: $0) }.enabled(canSeek),
      .skipForward(preferredIntervals: Self.intervals) { try await skip($0) }.enabled(canSeek),
      .skipBackward(preferredIntervals: Self.intervals) { try await skip(-$0) }.enabled(canSeek),
    ]
    if let rates = state.rates {
      let speeds = Self.speeds.filter(rates.contains)
      commands.append(
        .changePlaybackRate(supportedRates: speeds, rate: state.rate) {
          try await set("Rate", .double($0))
        })
    }
    if let loop = state.loop {
      commands.append(
        .changeRepeatMode(loop.mode) {
          try await set("LoopStatus", .string(PlayerState.Loop($0).rawValue))
        })
    }
    if let shuffle = state.shuffle {
      commands.append(
        .changeShuffleMode(shuffle ? .items : .off) {
          try await set("Shuffle", .boolean($0 != .off))
        })
    }
    return commands
  }

  private func tell(_ method: String, _ arguments: [BusValue] = []) async throws -> CommandStatus {
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
    try await tell("Seek", [.int64(ExportedState.microseconds(seconds))])
  }

  /// Players obey `SetPosition` whatever track it names, so the player is asked what it plays now.
  private func seek(to seconds: Double) async throws -> CommandStatus {
    let properties = try await bus.properties(of: MPRIS.player, at: MPRIS.path, by: owner)
    let now = PlayerState(properties)
    guard now.track.isSameItem(as: state.track) else { return .noSuchContent }
    guard let id = now.track.id, id.hasPrefix("/") else {
      // Without a track's path there is only the way from here.
      return try await skip(seconds - now.position)
    }
    return try await tell(
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
