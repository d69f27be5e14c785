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
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case application, content, artwork, cover, playback, commands, mixesWithOthers, eligibility,
      videoCodecs
  }

  public init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: []) }

  /// - Parameter others: fields of the enclosing object.
  init(from decoder: any Decoder, besides others: Set<String>) throws {
    try decoder.refuseFields(otherThan: CodingKeys.allCases, and: others)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      application: try container.decode(String.self, forKey: .application),
      content: try container.decodeIfPresent(MediaContent.self, forKey: .content),
      artwork: try Self.artwork(in: container),
      cover: try container.decodeIfPresent(ArtworkID.self, forKey: .cover),
      playback: try container.decodeIfPresent(PlaybackSnapshot.self, forKey: .playback),
      commands: try container.offeredCommands(forKey: .commands, decoder),
      mixesWithOthers: try container.decodeIfPresent(Bool.self, forKey: .mixesWithOthers) ?? false,
      eligibility: try container.choiceIfPresent(forKey: .eligibility) ?? .always,
      videoCodecs: try container.codecsIfPresent(forKey: .videoCodecs))
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

  private static func artwork(
    in container: KeyedDecodingContainer<CodingKeys>
  ) throws -> [ArtworkKey: ArtworkID] {
    guard container.contains(.artwork), try !container.decodeNil(forKey: .artwork) else {
      return [:]
    }
    let fields = try container.nestedContainer(keyedBy: FieldName.self, forKey: .artwork)
    var artwork: [ArtworkKey: ArtworkID] = [:]
    for field in fields.allKeys {
      guard let key = ArtworkKey(rawValue: field.stringValue) else {
        throw DecodingError.dataCorruptedError(
          forKey: field, in: fields,
          debugDescription: "unknown key; known: 1x1, 3x4")
      }
      artwork[key] = try fields.decode(ArtworkID.self, forKey: field)
    }
    return artwork
  }
}

extension MediaSession {
  /// The field `videoCodecs` of another object than a session.
  package static func videoCodecs<Key: CodingKey>(
    in container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Set<String>? { try container.codecsIfPresent(forKey: key) }
}

extension KeyedDecodingContainer {
  /// Names of codecs, each of 1 to 16 lower-case letters and digits; at most 16, and at least one.
  fileprivate func codecsIfPresent(forKey key: Key) throws -> Set<String>? {
    guard let names = try decodeIfPresent([String].self, forKey: key) else { return nil }
    let isValid = names.allSatisfy { name in
      (1...16).contains(name.utf8.count)
        && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
    guard isValid, (1...16).contains(names.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "it must be 1 to 16 names of codecs, such as h264 and hevc")
    }
    return Set(names)
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
  private enum OwnerKeys: String, CodingKey, CaseIterable { case process }

  /// A request, whose texts have limits.
  package init(from decoder: any Decoder) throws {
    try self.init(from: decoder, besides: [])
    try TextLimits.check(session, decoder)
  }

  /// - Parameter others: fields of the enclosing object.
  init(from decoder: any Decoder, besides others: Set<String>) throws {
    session = try MediaSession(
      from: decoder, besides: others.union([CodingKeys.owner.rawValue]))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.contains(.owner), try !container.decodeNil(forKey: .owner) else { return }
    try container.superDecoder(forKey: .owner).refuseFields(otherThan: OwnerKeys.allCases)
    let owner = try container.nestedContainer(keyedBy: OwnerKeys.self, forKey: .owner)
    guard owner.contains(.process) else { return }
    ownerProcess = try owner.wholeNumber(forKey: .process)
    if let ownerProcess, ownerProcess <= 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .process, in: owner, debugDescription: "a process number must be above 0")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    guard let ownerProcess else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    var owner = container.nestedContainer(keyedBy: OwnerKeys.self, forKey: .owner)
    try owner.encode(ownerProcess, forKey: .process)
  }
}
