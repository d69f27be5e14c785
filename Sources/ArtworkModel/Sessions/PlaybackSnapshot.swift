/// The state of playback at one moment (`MediaPlaybackSnapshot` of the NowPlaying framework).
public struct PlaybackSnapshot: Sendable, Equatable {
  public var state: State
  /// Seconds from the item's beginning, ads included.
  public var elapsedSeconds: Double
  /// The moment, in seconds since 1970; `nil` means the time of receipt.
  public var timestamp: Double?
  public var duration: MediaDuration
  /// Ad breaks in any order; they may overlap.
  public var adBreaks: [AdBreak]

  public enum State: Sendable, Equatable {
    /// - Parameter rate: seconds of the item per second; negative while it rewinds. Finite, not 0.
    case playing(rate: Double = 1)
    case paused
    /// Waiting for data; continues automatically.
    case buffering
    /// Interrupted by the system, for example for a call.
    case interrupted
  }

  /// A range of the item that is an ad.
  public struct AdBreak: Sendable, Equatable, OmittedIfEmpty {
    public var startSeconds: Double
    public var durationSeconds: Double

    public init(startSeconds: Double, durationSeconds: Double) {
      self.startSeconds = startSeconds
      self.durationSeconds = durationSeconds
    }
  }

  public init(
    state: State = .paused, elapsedSeconds: Double = 0, timestamp: Double? = nil,
    duration: MediaDuration = .unknown, adBreaks: [AdBreak] = []
  ) {
    self.state = state
    self.elapsedSeconds = elapsedSeconds
    self.timestamp = timestamp
    self.duration = duration
    self.adBreaks = adBreaks
  }

  /// Whether it plays, or will as soon as there is data.
  public var isActive: Bool {
    switch state {
    case .playing, .buffering: true
    case .paused, .interrupted: false
    }
  }

  /// A copy with a timestamp.
  ///
  /// - Parameter seconds: the time of receipt, in seconds since 1970.
  package func received(at seconds: Double) -> PlaybackSnapshot {
    var known = self
    known.timestamp = timestamp ?? seconds
    return known
  }
}

extension PlaybackSnapshot: Codable {
  private enum CodingKeys: String, CodingKey {
    case state, rate, elapsedSeconds, timestamp, adBreaks, durationSeconds, durationKind
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    // Any state may come with the rate at which it would play.
    let rate = try fields.decodeIfPresent(Double.self, forKey: .rate)
    let name = try fields.decode(String.self, forKey: .state)
    let states: [State] = [.playing(rate: rate ?? 1), .paused, .buffering, .interrupted]
    guard let state = states.first(where: { $0.name == name }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .state, in: fields, debugDescription: "an unknown state")
    }
    self.init(
      state: state, elapsedSeconds: try fields.decode(Double.self, forKey: .elapsedSeconds),
      timestamp: try fields.decodeIfPresent(Double.self, forKey: .timestamp),
      duration: MediaDuration(
        try fields.decodeIfPresent(Double.self, forKey: .durationSeconds),
        try fields.decodeIfPresent(MediaDuration.Kind.self, forKey: .durationKind)),
      adBreaks: try fields.decode([AdBreak].self, forKey: .adBreaks))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(state.name, forKey: .state)
    if case .playing(let rate) = state { try container.encode(rate, forKey: .rate) }
    try container.encode(elapsedSeconds, forKey: .elapsedSeconds)
    try container.encodeIfPresent(timestamp, forKey: .timestamp)
    try container.encodeIfPresent(duration.seconds, forKey: .durationSeconds)
    try container.encodeIfPresent(duration.kind, forKey: .durationKind)
    try container.encode(adBreaks, forKey: .adBreaks)
  }
}

extension PlaybackSnapshot.State {
  /// The name in JSON.
  package var name: String {
    switch self {
    case .playing: "playing"
    case .paused: "paused"
    case .buffering: "buffering"
    case .interrupted: "interrupted"
    }
  }
}
