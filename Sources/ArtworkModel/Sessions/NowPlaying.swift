/// All sessions, and the one that is shown: the document of `GET /v1/now-playing`.
public struct NowPlaying: Sendable, Equatable {
  /// The session on a lock screen; `nil` without eligible sessions.
  public var shown: Shown?
  /// The shown session first, then the others, the most recently active ones first.
  public var sessions: [PublishedSession]
  public var conditions: DeviceConditions

  package init(
    shown: Shown? = nil, sessions: [PublishedSession] = [], conditions: DeviceConditions
  ) {
    self.shown = shown
    self.sessions = sessions
    self.conditions = conditions
  }

  public struct Shown: Sendable, Equatable, Codable {
    public var sessionID: SessionID
    public var application: String
    public var content: MediaContent?
    public var playback: ShownPlayback?
    /// A sentence that explains why this session is shown.
    public var reason: String
    /// One for each key that the session publishes or the system shows.
    public var variants: [ArtworkKey: Presentation]
    /// The artwork whose static cover is shown if no animated artwork is; `nil` if none has a cover.
    public var cover: ArtworkID?
    /// Metadata in the reader's languages, one item for each identifier; `nil` if there is none.
    public var metadata: [MetadataItem]?

    package init(
      sessionID: SessionID, application: String, content: MediaContent?,
      playback: ShownPlayback?, reason: String, variants: [ArtworkKey: Presentation],
      cover: ArtworkID? = nil
    ) {
      self.sessionID = sessionID
      self.application = application
      self.content = content
      self.playback = playback
      self.reason = reason
      self.variants = variants
      self.cover = cover
      metadata = Self.metadata(of: content, ReaderLanguages())
    }
  }
}

extension NowPlaying: Codable {
  /// `shown` is `null` without eligible sessions.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(shown, forKey: .shown)
    try container.encode(sessions, forKey: .sessions)
    try container.encode(conditions, forKey: .conditions)
  }
}

/// A session as the service describes it.
public struct PublishedSession: Sendable, Equatable {
  public var id: SessionID
  public var session: MediaSession
  /// Whether its application shows this session.
  public var isApplicationPrimary: Bool
  /// Whether the system shows this session.
  public var isSystemPrimary: Bool
  /// The process whose end ends the session.
  public var ownerProcess: Int32?
  /// Why the system does not show this session; `nil` if it does.
  public var notShown: Presentation.Reason?

  package init(
    id: SessionID, session: MediaSession, isApplicationPrimary: Bool = false,
    isSystemPrimary: Bool = false, ownerProcess: Int32? = nil, notShown: Presentation.Reason? = nil
  ) {
    self.id = id
    self.session = session
    self.isApplicationPrimary = isApplicationPrimary
    self.isSystemPrimary = isSystemPrimary
    self.ownerProcess = ownerProcess
    self.notShown = notShown
  }
}

extension PublishedSession: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, isApplicationPrimary, isSystemPrimary, notShown
  }

  public init(from decoder: any Decoder) throws {
    let request = try SessionRequest(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(SessionID.self, forKey: .id), session: request.session,
      isApplicationPrimary: try container.decode(Bool.self, forKey: .isApplicationPrimary),
      isSystemPrimary: try container.decode(Bool.self, forKey: .isSystemPrimary),
      ownerProcess: request.ownerProcess,
      notShown: try container.decodeIfPresent(Presentation.Reason.self, forKey: .notShown))
  }

  public func encode(to encoder: any Encoder) throws {
    try SessionRequest(session: session, ownerProcess: ownerProcess).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(isApplicationPrimary, forKey: .isApplicationPrimary)
    try container.encode(isSystemPrimary, forKey: .isSystemPrimary)
    try container.encodeIfPresent(notShown, forKey: .notShown)
  }
}

/// A snapshot, and the position of playback when the document was made.
public struct ShownPlayback: Sendable, Equatable {
  public var snapshot: PlaybackSnapshot
  /// Seconds from the beginning, ads included.
  public var positionSeconds: Double
  /// Seconds from the beginning, without the ads.
  public var netPositionSeconds: Double
  /// The duration without the ads; `nil` for content without an end.
  public var netDurationSeconds: Double?

  /// - Parameter seconds: now, in seconds since 1970.
  package init(_ snapshot: PlaybackSnapshot, at seconds: Double) {
    self.snapshot = snapshot
    positionSeconds = snapshot.position(at: seconds)
    netPositionSeconds = snapshot.netPosition(at: seconds)
    netDurationSeconds = snapshot.netDuration
  }
}

extension ShownPlayback: Codable {
  private enum CodingKeys: String, CodingKey {
    case positionSeconds, netPositionSeconds, netDurationSeconds
  }

  public init(from decoder: any Decoder) throws {
    snapshot = try PlaybackSnapshot(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    positionSeconds = try container.decode(Double.self, forKey: .positionSeconds)
    netPositionSeconds = try container.decode(Double.self, forKey: .netPositionSeconds)
    netDurationSeconds = try container.decodeIfPresent(Double.self, forKey: .netDurationSeconds)
  }

  public func encode(to encoder: any Encoder) throws {
    try snapshot.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(positionSeconds, forKey: .positionSeconds)
    try container.encode(netPositionSeconds, forKey: .netPositionSeconds)
    try container.encodeIfPresent(netDurationSeconds, forKey: .netDurationSeconds)
  }
}
