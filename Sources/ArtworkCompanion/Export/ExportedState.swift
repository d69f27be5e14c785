import ArtworkModel

/// A session as the desktop sees it: the properties of an MPRIS player. A plain value, so that it can be compared.
struct ExportedState: Sendable, Equatable {
  var application: String
  /// `nil` for an application without one.
  var desktopFile: DesktopFile?
  var content: MediaContent?
  var playback: PlaybackSnapshot?
  var commands: [CommandName: OfferedCommand] = [:]
  var artwork = Artwork()
  /// Counts the items of the session: MPRIS needs a path for each track.
  var track = 0

  /// The artwork for a desktop shell.
  struct Artwork: Sendable, Equatable {
    /// The URL of a preview's file.
    var preview: String?
    /// The URLs of the videos' files.
    var videos: [ArtworkKey: String] = [:]
    var artworkID: ArtworkID?
  }

  var root: [String: BusValue] {
    var properties: [String: BusValue] = [
      "CanQuit": .boolean(false), "CanRaise": .boolean(false), "HasTrackList": .boolean(false),
      "Identity": .string(desktopFile?.name ?? application), "SupportedUriSchemes": .strings([]),
      "SupportedMimeTypes": .strings([]),
    ]
    if let desktopFile { properties["DesktopEntry"] = .string(desktopFile.entry) }
    return properties
  }

  /// All properties but the position, for which MPRIS sends no change signal.
  var player: [String: BusValue] {
    let rate: Double = if case .playing(let rate)? = playback?.state { rate } else { 1 }
    let rates = commands[.changePlaybackRate]?.supportedRates ?? []
    var properties: [String: BusValue] = [
      "PlaybackStatus": .string(status), "Rate": .double(rate),
      "MinimumRate": .double(min(rates.min() ?? 1, 1)),
      "MaximumRate": .double(max(rates.max() ?? 1, 1)),
      "Volume": .double(1), "Metadata": .dictionary(metadata),
      "CanControl": .boolean(!commands.isEmpty),
      "CanPlay": .boolean(canDo(.play) || canDo(.togglePlayPause)),
      "CanPause": .boolean(canDo(.pause) || canDo(.togglePlayPause)),
      "CanGoNext": .boolean(canDo(.next)), "CanGoPrevious": .boolean(canDo(.previous)),
      "CanSeek": .boolean(canDo(.seekToPosition)),
    ]
    if let mode = commands[.changeRepeatMode]?.repeatMode {
      properties["LoopStatus"] = .string(PlayerState.Loop(mode).rawValue)
    }
    if let mode = commands[.changeShuffleMode]?.shuffleMode {
      properties["Shuffle"] = .boolean(mode != .off)
    }
    return properties
  }

  private func canDo(_ command: CommandName) -> Bool { commands[command]?.isEnabled ?? false }

  private var status: String {
    guard content != nil || playback != nil else { return "Stopped" }
    return isActive ? "Playing" : "Paused"
  }

  private var trackPath: String { "/org/artworkd/track/\(track)" }

  private var metadata: [String: BusValue] {
    guard let content else {
      return ["mpris:trackid": .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")]
    }
    var metadata: [String: BusValue] = [
      "mpris:trackid": .objectPath(trackPath),
      "xesam:title": .string(content.title),
    ]
    if let subtitle = content.subtitle { metadata["xesam:artist"] = .strings([subtitle]) }
    if let collection = content.collection { metadata["xesam:album"] = .string(collection) }
    if let composer = content.composer { metadata["xesam:composer"] = .strings([composer]) }
    if let genre = content.genre { metadata["xesam:genre"] = .strings([genre]) }
    if let isExplicit = content.isExplicit {
      metadata["artworkd:isExplicit"] = .boolean(isExplicit)
    }
    if case .finite(let seconds)? = playback?.duration {
      metadata["mpris:length"] = .int64(Self.microseconds(seconds))
    }
    if let preview = artwork.preview { metadata["mpris:artUrl"] = .string(preview) }
    for (key, url) in artwork.videos { metadata["artworkd:video\(key.rawValue)"] = .string(url) }
    if let id = artwork.artworkID { metadata["artworkd:artworkID"] = .string(id.text) }
    return metadata
  }

  /// - Parameter now: in seconds since 1970.
  func position(at now: Double) -> BusValue {
    .int64(Self.microseconds(playback?.position(at: now) ?? 0))
  }

  static func microseconds(_ seconds: Double) -> Int64 {
    wholeNumber(seconds * Track.microseconds, as: Int64.self) ?? 0
  }

  /// The reaction to a call to the player object.
  enum Reaction: Equatable {
    case answer(BusAnswer)
    /// The request goes to the owner of the session; MPRIS does not wait for it.
    case request(RequestedCommand)
    /// Nothing happens: the position is out of range or of another track, as MPRIS requires.
    case nothing
  }

  /// - Parameter now: in seconds since 1970.
  func reaction(to message: BusMessage, at now: Double) -> Reaction {
    if message.interface == Self.introspectable, message.member == "Introspect",
      let text = Self.introspection(of: message.path)
    {
      return .answer(.values([.string(text)]))
    }
    guard message.path == MPRIS.path else { return .answer(.unknown(message)) }
    switch message.interface {
    case "org.freedesktop.DBus.Properties": return properties(message, at: now)
    case MPRIS.player: return command(message, at: now)
    case MPRIS.root:
      return .answer(
        .error(name: "org.freedesktop.DBus.Error.NotSupported", "a session has no window"))
    default: return .answer(.unknown(message))
    }
  }

  private func properties(_ message: BusMessage, at now: Double) -> Reaction {
    let interface = message.body.first?.text
    let name = message.body.dropFirst().first?.text ?? ""
    switch (message.member, interface) {
    case ("GetAll", MPRIS.root): return .answer(.values([.dictionary(root)]))
    case ("GetAll", MPRIS.player):
      return .answer(
        .values([.dictionary(player.merging(["Position": position(at: now)]) { $1 })]))
    case ("GetAll", _): return .answer(.values([.dictionary([:])]))
    case ("Get", _):
      let value = name == "Position" ? position(at: now) : root[name] ?? player[name]
      return .answer(
        value.map { .values([.variant($0)]) }
          ?? .error(name: "org.freedesktop.DBus.Error.UnknownProperty", "no property \(name)"))
    case ("Set", MPRIS.player): return setting(name, message.body.dropFirst(2).first?.content)
    default: return .answer(.unknown(message))
    }
  }

  private func setting(_ name: String, _ value: BusValue?) -> Reaction {
    switch name {
    case "Rate":
      guard let rate = value?.number, rate.isFinite, rate != 0 else { return .nothing }
      return .request(.changePlaybackRate(rate))
    case "LoopStatus":
      guard let loop = value?.text.flatMap(PlayerState.Loop.init(rawValue:)) else {
        return .nothing
      }
      return .request(.changeRepeatMode(loop.mode))
    case "Shuffle":
      guard let shuffle = value?.boolean else { return .nothing }
      return .request(.changeShuffleMode(shuffle ? .items : .off))
    default:
      return .answer(
        .error(name: "org.freedesktop.DBus.Error.PropertyReadOnly", "\(name) cannot be set"))
    }
  }

  private var isActive: Bool { playback?.isActive ?? false }

  private func command(_ message: BusMessage, at now: Double) -> Reaction {
    switch message.member {
    // A toggle does it, unless it is so already.
    case "Play" where !canDo(.play):
      return isActive ? .nothing : .request(.togglePlayPause)
    case "Pause" where !canDo(.pause):
      return isActive ? .request(.togglePlayPause) : .nothing
    case "Play": return .request(.play)
    case "Pause": return .request(.pause)
    case "PlayPause": return .request(.togglePlayPause)
    case "Stop": return .request(.stop)
    case "Next": return .request(.next)
    case "Previous": return .request(.previous)
    case "Seek":
      guard let offset = message.body.first?.number else { return .nothing }
      let place = (playback?.position(at: now) ?? 0) + offset / Track.microseconds
      // A position beyond the end means the next track in MPRIS.
      if case .finite(let end)? = playback?.duration, place > end { return .request(.next) }
      return .request(.seekToPosition(max(0, place)))
    case "SetPosition":
      guard message.body.first?.text == trackPath,
        let place = message.body.dropFirst().first?.number.map({ $0 / Track.microseconds }),
        place >= 0
      else { return .nothing }
      if case .finite(let end)? = playback?.duration, place > end { return .nothing }
      return .request(.seekToPosition(place))
    default: return .answer(.unknown(message))
    }
  }
}
