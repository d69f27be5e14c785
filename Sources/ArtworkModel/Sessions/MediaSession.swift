/// The now-playing info that one session publishes.
public struct MediaSession: Sendable, Equatable {
  /// The application that the session belongs to, for example its bundle identifier.
  public var application: String
  /// `nil` while nothing is loaded.
  public var content: MediaContent?
  /// The published animated artwork, at most one for each key.
  public var artwork: [ArtworkKey: ArtworkID]
  /// The artwork whose static cover is shown if no animated artwork is; `nil` for that of ``artwork``.
  public var cover: ArtworkID?
  public var playback: PlaybackSnapshot?
  /// The commands that its owner carries out.
  public var commands: [CommandName: OfferedCommand]
  /// Whether its audio mixes with that of others, as a notification does. Such a session is never primary.
  public var mixesWithOthers: Bool
  public var eligibility: Eligibility
  /// The codecs of videos that the player decodes, by the names of the inspection, such as `h264` and `hevc`. Videos
  /// with other codecs are handed out as H.264, if that can be made. `nil`: those of Apple's systems.
  public var videoCodecs: Set<String>?

  public init(
    application: String, content: MediaContent? = nil, artwork: [ArtworkKey: ArtworkID] = [:],
    cover: ArtworkID? = nil, playback: PlaybackSnapshot? = nil,
    commands: [CommandName: OfferedCommand] = [:], mixesWithOthers: Bool = false,
    eligibility: Eligibility = .always, videoCodecs: Set<String>? = nil
  ) {
    self.application = application
    self.content = content
    self.artwork = artwork
    self.cover = cover
    self.playback = playback
    self.commands = commands
    self.mixesWithOthers = mixesWithOthers
    self.eligibility = eligibility
    self.videoCodecs = videoCodecs
  }

  /// Whether the session publishes the video of a variant, or needs the static cover of an artwork.
  package func publishes(_ reference: ArtworkReference) -> Bool {
    if let key = reference.key { return artwork[key] == reference.artworkID }
    return covers.contains(reference.artworkID)
  }

  /// The artworks whose static covers may be shown, best first.
  package var covers: [ArtworkID] {
    ([cover] + ArtworkKey.allCases.map { artwork[$0] }).compactMap(\.self)
  }

  /// A copy whose playback has a timestamp.
  ///
  /// - Parameter seconds: the time of receipt, in seconds since 1970.
  package func received(at seconds: Double) -> MediaSession {
    var known = self
    known.playback = playback?.received(at: seconds)
    return known
  }

  /// The playback with the duration of the content, which takes precedence.
  public var timedPlayback: PlaybackSnapshot? {
    var timed = playback
    if let duration = content?.duration, duration != .unknown { timed?.duration = duration }
    return timed
  }

  public var isActive: Bool { playback?.isActive ?? false }
}

extension MediaSession: Codable {
  private enum CodingKeys: String, CodingKey {
    case application, content, artwork, cover, playback, commands, mixesWithOthers, eligibility,
      videoCodecs
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let artwork = try fields.decodeIfPresent([ArtworkKey: ArtworkID].self, forKey: .artwork)
    let commands = try fields.decodeIfPresent([String: OfferedCommand].self, forKey: .commands)
    self.init(
      application: try fields.decode(String.self, forKey: .application),
      content: try fields.decodeIfPresent(MediaContent.self, forKey: .content),
      artwork: artwork ?? [:],
      cover: try fields.decodeIfPresent(ArtworkID.self, forKey: .cover),
      playback: try fields.decodeIfPresent(PlaybackSnapshot.self, forKey: .playback),
      // A newer service may know more commands.
      commands: Dictionary(
        uniqueKeysWithValues: (commands ?? [:]).compactMap { name, offer in
          CommandName(rawValue: name).map { ($0, offer) }
        }),
      mixesWithOthers: try fields.decodeIfPresent(Bool.self, forKey: .mixesWithOthers) ?? false,
      eligibility: try fields.decodeIfPresent(Eligibility.self, forKey: .eligibility) ?? .always,
      videoCodecs: try fields.decodeIfPresent(Set<String>.self, forKey: .videoCodecs))
  }

  /// Omits fields with default values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(application, forKey: .application)
    try container.encodeIfPresent(content, forKey: .content)
    try container.encode(artwork, forKey: .artwork)
    try container.encodeIfPresent(cover, forKey: .cover)
    try container.encodeIfPresent(playback, forKey: .playback)
    if !commands.isEmpty { try container.encode(commands, forKey: .commands) }
    if mixesWithOthers { try container.encode(true, forKey: .mixesWithOthers) }
    if eligibility != .always { try container.encode(eligibility, forKey: .eligibility) }
    try container.encodeIfPresent(videoCodecs?.sorted(), forKey: .videoCodecs)
  }
}

/// The body of a request that publishes a session.
package struct SessionRequest: Sendable, Equatable {
  package var session: MediaSession
  /// The process that owns the session from now on; `nil` keeps the present owner.
  package var ownerProcess: Int32?

  package init(session: MediaSession, ownerProcess: Int32? = nil) {
    self.session = session
    self.ownerProcess = ownerProcess
  }
}

extension SessionRequest: Codable {
  private enum CodingKeys: String, CodingKey { case owner }
  private struct Owner: Codable { var process: Int32? }

  package init(from decoder: any Decoder) throws {
    session = try MediaSession(from: decoder)
    ownerProcess = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(Owner.self, forKey: .owner)?.process
  }

  package func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(ownerProcess.map { Owner(process: $0) }, forKey: .owner)
  }
}
