/// What one session publishes: the now-playing info of a player.
public struct MediaSession: Sendable, Equatable {
  /// The application that the session belongs to, for example its bundle identifier.
  public var application: String
  /// `nil` while nothing is loaded.
  public var content: MediaContent?
  /// The animated artwork that is published, at most one for each key.
  public var artwork: [ArtworkKey: ArtworkID]
  public var playback: PlaybackSnapshot?

  public init(
    application: String, content: MediaContent? = nil, artwork: [ArtworkKey: ArtworkID] = [:],
    playback: PlaybackSnapshot? = nil
  ) {
    self.application = application
    self.content = content
    self.artwork = artwork
    self.playback = playback
  }

  /// The same, with a time for a playback that has none.
  ///
  /// - Parameter seconds: when it arrived, in seconds since 1970.
  public func received(at seconds: Double) -> MediaSession {
    var known = self
    known.playback = playback?.received(at: seconds)
    return known
  }

  public var isActive: Bool { playback?.isActive ?? false }
}

extension MediaSession: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case application, content, artwork, playback
  }

  public init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: []) }

  /// - Parameter others: fields that are somebody else's.
  init(from decoder: any Decoder, besides others: Set<String>) throws {
    try decoder.refuseFields(otherThan: CodingKeys.allCases, and: others)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      application: try container.decode(String.self, forKey: .application),
      content: try container.decodeIfPresent(MediaContent.self, forKey: .content),
      artwork: try Self.artwork(in: container),
      playback: try container.decodeIfPresent(PlaybackSnapshot.self, forKey: .playback))
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
          debugDescription: "there is no key \"\(field.stringValue)\"; there are 1x1, 3x4")
      }
      artwork[key] = try fields.decode(ArtworkID.self, forKey: field)
    }
    return artwork
  }
}

/// What is sent to publish a session: the session, and whose end ends it.
public struct SessionRequest: Sendable, Equatable {
  public var session: MediaSession
  /// The number of a process of this machine; `nil` changes nothing.
  public var ownerProcess: Int32?

  public init(session: MediaSession, ownerProcess: Int32? = nil) {
    self.session = session
    self.ownerProcess = ownerProcess
  }
}

extension SessionRequest: Codable {
  private enum CodingKeys: String, CodingKey { case owner }
  private enum OwnerKeys: String, CodingKey, CaseIterable { case process }

  public init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: []) }

  /// - Parameter others: fields that are somebody else's.
  init(from decoder: any Decoder, besides others: Set<String>) throws {
    session = try MediaSession(
      from: decoder, besides: others.union([CodingKeys.owner.rawValue]))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.contains(.owner), try !container.decodeNil(forKey: .owner) else { return }
    try container.superDecoder(forKey: .owner).refuseFields(otherThan: OwnerKeys.allCases)
    let owner = try container.nestedContainer(keyedBy: OwnerKeys.self, forKey: .owner)
    ownerProcess = try owner.decodeIfPresent(Int32.self, forKey: .process)
    if let ownerProcess, ownerProcess <= 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .process, in: owner, debugDescription: "a process has a number above 0")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    guard let ownerProcess else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    var owner = container.nestedContainer(keyedBy: OwnerKeys.self, forKey: .owner)
    try owner.encode(ownerProcess, forKey: .process)
  }
}
