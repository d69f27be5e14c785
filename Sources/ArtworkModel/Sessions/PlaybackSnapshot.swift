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
  public struct AdBreak: Sendable, Equatable {
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
  enum CodingKeys: String, CodingKey, CaseIterable {
    case state, rate, elapsedSeconds, timestamp, adBreaks
  }

  private enum StateName: String, CaseIterable { case playing, paused, buffering, interrupted }

  public init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: []) }

  /// - Parameter others: fields of the enclosing object.
  init(from decoder: any Decoder, besides others: Set<String>) throws {
    let duration = MediaDuration.CodingKeys.allCases.map(\.rawValue)
    try decoder.refuseFields(otherThan: CodingKeys.allCases, and: others.union(duration))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      state: try Self.state(in: container),
      elapsedSeconds: try container.time(forKey: .elapsedSeconds),
      timestamp: try container.timeIfPresent(forKey: .timestamp),
      duration: try MediaDuration.stated(by: decoder) ?? .unknown,
      adBreaks: try container.decodeIfPresent([AdBreak].self, forKey: .adBreaks) ?? [])
  }

  private static func state(in container: KeyedDecodingContainer<CodingKeys>) throws -> State {
    // Any state may come with the rate at which it would play.
    let rate =
      container.contains(.rate)
      ? try container.number(forKey: .rate, "a number other than 0") { $0.isFinite && $0 != 0 }
      : 1
    return switch try container.choice(forKey: .state) as StateName {
    case .playing: .playing(rate: rate)
    case .paused: .paused
    case .buffering: .buffering
    case .interrupted: .interrupted
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(state.name, forKey: .state)
    if case .playing(let rate) = state { try container.encode(rate, forKey: .rate) }
    try container.encode(elapsedSeconds, forKey: .elapsedSeconds)
    try container.encodeIfPresent(timestamp, forKey: .timestamp)
    try duration.encode(to: encoder)
    if !adBreaks.isEmpty { try container.encode(adBreaks, forKey: .adBreaks) }
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

extension PlaybackSnapshot.AdBreak: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case startSeconds, durationSeconds }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseFields(otherThan: CodingKeys.allCases)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      startSeconds: try container.time(forKey: .startSeconds),
      durationSeconds: try container.time(forKey: .durationSeconds))
  }
}
