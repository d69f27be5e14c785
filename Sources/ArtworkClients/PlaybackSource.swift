public import ArtworkModel

/// A player that can be read at any time: ``ArtworkClient/publish(players:as:application:)`` publishes significant
/// changes automatically.
public protocol PlaybackSource: Sendable {
  /// The current reading.
  var reading: PlaybackReading { get async }
  /// An element whenever the reading may have changed. Too many do no harm: a player may forward each tick of its
  /// clock. Ends with the player.
  var changes: AsyncStream<Void> { get async }
}

/// The state of a player at one moment.
public struct PlaybackReading: Sendable {
  /// `nil` while nothing is loaded.
  public var item: PlaybackItem?
  /// Whether it plays, and at which rate.
  public var state: PlaybackSnapshot.State
  /// Seconds from the item's beginning, ads included.
  public var timeSeconds: Double
  /// The moment, in seconds since 1970; `nil` for now.
  public var timestamp: Double?
  /// The commands that the player carries out now.
  public var commands: [MediaCommand]

  public init(
    item: PlaybackItem? = nil, state: PlaybackSnapshot.State = .paused, timeSeconds: Double = 0,
    timestamp: Double? = nil, commands: [MediaCommand] = []
  ) {
    self.item = item
    self.state = state
    self.timeSeconds = timeSeconds
    self.timestamp = timestamp
    self.commands = commands
  }
}

/// An item in a player, like an `AVPlayerItem` with its `nowPlayingInfo`.
public struct PlaybackItem: Sendable {
  /// Content with its animated artwork, and with its duration as soon as the player knows it.
  public var content: MediaContent
  /// Ranges that count neither in the displayed position nor in the displayed duration.
  public var adBreaks: [PlaybackSnapshot.AdBreak]
  /// The static cover.
  public var artwork: Artwork?

  public init(
    _ content: MediaContent, adBreaks: [PlaybackSnapshot.AdBreak] = [],
    artwork: Artwork? = nil
  ) {
    self.content = content
    self.adBreaks = adBreaks
    self.artwork = artwork
  }
}

extension PlaybackReading {
  func moment(_ id: SessionID) -> PlaybackState {
    PlaybackState(
      id: id.text, content: item?.content,
      playbackSnapshot: item.map {
        PlaybackSnapshot(
          state: state, elapsedSeconds: timeSeconds, timestamp: timestamp,
          duration: $0.content.duration ?? .unknown, adBreaks: $0.adBreaks)
      }, artwork: item?.artwork, commands: commands)
  }

  /// The reading that represents several players of the same content: that of the first one that plays or buffers, or
  /// else of the first one with an item. Players with different content are ignored.
  static func leading(_ readings: [PlaybackReading]) -> PlaybackReading {
    guard let first = readings.first(where: { $0.item != nil }), let item = first.item else {
      return PlaybackReading()
    }
    return readings.first { reading in
      reading.isActive && reading.item?.content.isSame(as: item.content) ?? false
    } ?? first
  }

  private var isActive: Bool { PlaybackSnapshot(state: state).isActive }
}

extension MediaContent {
  /// Whether two players play the same content: by their IDs, or else by all fields.
  fileprivate func isSame(as other: MediaContent) -> Bool {
    if let id, let otherID = other.id { id == otherID } else { self == other }
  }
}
