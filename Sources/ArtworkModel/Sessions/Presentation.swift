/// What is shown for one key, and why.
public struct Presentation: Sendable, Equatable {
  public var show: Show
  public var reason: Reason
  /// The artwork that the session publishes for the key.
  public var artworkID: ArtworkID?

  public enum Show: String, Sendable, Codable, CaseIterable {
    case video
    /// The first frame, as a still picture.
    case preview
    /// The static cover: the animated artwork is not used at all.
    case cover
  }

  /// Code and sentence. Codes are those of ``Presentation/Code`` and those with which an artwork was refused.
  public struct Reason: Sendable, Hashable, Codable {
    public var code: String
    public var message: String

    public init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// Stable identifiers, part of the public contract.
  public enum Code: String, Sendable, CaseIterable {
    case plays
    case notPublished = "not-published"
    case unsupportedKey = "unsupported-key"
    case unknownArtwork = "unknown-artwork"
    case ignored
    case lowPower = "low-power"
    case lowData = "low-data"
    case thermal
    case reduceMotion = "reduce-motion"
    case autoPlayOff = "auto-play-off"
    case notFetched = "not-fetched"
    case doesNotPlay = "does-not-play"
  }

  /// Decides what a system shows for `key`. The first that holds counts: the session publishes nothing for the key; the
  /// system does not use the key; there is no such artwork, or it cannot be used; its shape makes the system ignore
  /// it; a condition of the device keeps videos still; nobody has fetched it yet; it does not play on Apple systems.
  ///
  /// - Parameter availability: of the artwork that `session` publishes for `key`.
  public init(
    of key: ArtworkKey, in session: MediaSession, conditions: DeviceConditions,
    availability: (ArtworkReference) -> ArtworkAvailability
  ) {
    guard let artworkID = session.artwork[key] else {
      self.init(.cover, .notPublished, "The session publishes no \(key.rawValue) artwork.")
      return
    }
    self =
      Self.withoutKey(key, conditions)
      ?? Self(
        of: key, availability(ArtworkReference(artworkID, key)),
        stillBecause: Self.stillness(conditions))
    self.artworkID = artworkID
  }

  private init(
    of key: ArtworkKey, _ availability: ArtworkAvailability, stillBecause stillness: Self?
  ) {
    switch availability {
    case .unknown:
      self.init(.cover, .unknownArtwork, "Nobody has said where this artwork comes from: put it.")
    case .refused(let code, let message):
      self.init(show: .cover, reason: Reason(code: code, message: message))
    case .ready(let broken) where broken.contains(Self.ruleOfShape):
      self.init(
        .cover, .ignored,
        "The video is not \(key.rawValue), so the system ignores the artwork (aspect-ratio).")
    case .registered:
      self =
        stillness
        ?? Self(.preview, .notFetched, "The video is fetched when somebody asks for it.")
    case .ready(let broken):
      let fatal = Self.rulesAgainstVideo(broken)
      self =
        stillness
        ?? (fatal.isEmpty
          ? Self(.video, .plays, Self.playing(broken))
          : Self(
            .preview, .doesNotPlay,
            "The video does not play on Apple systems (\(fatal.joined(separator: ", ")))."))
    }
  }

  private init(_ show: Show, _ code: Code, _ message: String) {
    self.init(show: show, reason: Reason(code: code.rawValue, message: message))
  }

  private init(show: Show, reason: Reason) {
    self.show = show
    self.reason = reason
  }

  private static let ruleOfShape = "aspect-ratio"

  /// Rules whose breach leaves a video that is not played: AVPlayerLayer does not decode it, or it has more than 60
  /// frames a second, which "the system may not show".
  private static let rulesForPlaying: Set<String> = [
    "codec", "codec-tag", "container", "pixel-format", "frame-rate",
  ]

  /// Those of `broken` that keep a video from being shown wherever it is, in the order of their names. A video that
  /// breaks others, as one that jumps, is shown.
  package static func rulesAgainstVideo(_ broken: [String]) -> [String] {
    broken.filter { $0 == ruleOfShape || rulesForPlaying.contains($0) }.sorted()
  }

  private static func playing(_ broken: [String]) -> String {
    broken.isEmpty
      ? "The video plays and loops."
      : "The video plays; it breaks \(broken.sorted().joined(separator: ", "))."
  }

  private static func withoutKey(_ key: ArtworkKey, _ conditions: DeviceConditions) -> Self? {
    guard !conditions.supportedKeys.contains(key) else { return nil }
    return Self(.cover, .unsupportedKey, "This system shows no \(key.rawValue) artwork.")
  }

  /// Why no video moves ("Providing animated artwork for media items", MediaPlayer); `nil` when it may.
  private static func stillness(_ conditions: DeviceConditions) -> Self? {
    if conditions.lowPower {
      Self(.preview, .lowPower, "The device saves power.")
    } else if conditions.lowData {
      Self(.preview, .lowData, "The device saves data.")
    } else if conditions.thermal.isHigh {
      Self(.preview, .thermal, "The device is too hot (\(conditions.thermal.rawValue)).")
    } else if conditions.reduceMotion {
      Self(.preview, .reduceMotion, "The person asked for less motion.")
    } else if conditions.autoPlayOff {
      Self(.preview, .autoPlayOff, "The person turned off auto-play of animated images.")
    } else {
      nil
    }
  }
}

extension Presentation: Codable {}
