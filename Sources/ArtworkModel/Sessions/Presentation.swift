/// The presentation of one key, and its reason.
public struct Presentation: Sendable, Equatable {
  public var show: Show
  public var reason: Reason
  /// The artwork that the session publishes for the key.
  public var artworkID: ArtworkID?

  public enum Show: String, Sendable, Codable, CaseIterable {
    case video
    /// The first frame as a still image.
    case preview
    /// The static cover: the animated artwork is not used.
    case cover
  }

  /// A code of ``Presentation/Code``, or the error code of refused artwork, and a sentence.
  public struct Reason: Error, Hashable, Codable {
    public var code: String
    public var message: String

    package init(code: String, message: String) {
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
    case preparing
    case lowPower = "low-power"
    case lowData = "low-data"
    case thermal
    case reduceMotion = "reduce-motion"
    case autoPlayOff = "auto-play-off"
    case notFetched = "not-fetched"
    case noSpace = "no-space"
    case doesNotPlay = "does-not-play"
    case codecNotSupported = "codec-not-supported"
  }

  /// The codec of the smaller versions that the service makes. Every Apple system plays it.
  package static let codecOfVersions = "h264"

  /// Codecs of animated pictures that no player treats as video: the service hands out a video made from them.
  package static let picturesByCodec: Set<String> = ["gif", "apng", "webp", "lottie"]

  /// Decides what a system shows for `key`. The first reason that applies counts: the session publishes nothing for
  /// the key; the system does not use the key; the artwork is unknown or refused; its aspect ratio makes the system
  /// ignore it; a condition of the device stops videos; there is no preview yet, or the video is not stored; it does not play on Apple
  /// systems, and the session does not declare its player's codecs; that player decodes neither the video nor any
  /// version that the service could make.
  ///
  /// - Parameter availability: returns the store's state of an artwork.
  package init(
    of key: ArtworkKey, in session: MediaSession, conditions: DeviceConditions,
    availability: (ArtworkReference) -> ArtworkAvailability
  ) {
    guard let artworkID = session.artwork[key] else {
      self.init(.cover, .notPublished, "The session publishes no \(key.rawValue) artwork.")
      return
    }
    self =
      Self.unsupportedKey(key, conditions)
      ?? Self(
        of: key, availability(ArtworkReference(artworkID, key)), for: session.videoCodecs,
        unlessStopped: Self.stoppedVideo(conditions))
    self.artworkID = artworkID
  }

  /// The presentation of `key` if only the artwork decides it.
  package init(of key: ArtworkKey, _ availability: ArtworkAvailability) {
    self.init(of: key, availability, for: nil, unlessStopped: nil)
  }

  /// Why no video of a key can be shown at all: the system does not use the key, or a condition of the device stops
  /// videos; `nil` otherwise.
  package static func withoutVideo(
    _ key: ArtworkKey, _ conditions: DeviceConditions
  ) -> Presentation? {
    unsupportedKey(key, conditions) ?? stoppedVideo(conditions)
  }

  /// Why a player gets no version of a video; `nil` if it does.
  ///
  /// - Parameters:
  ///   - codec: of the video; `nil` if it is not known.
  ///   - declared: the codecs that the player declares; `nil` for all.
  package static func withoutVersion(
    of codec: String?, for declared: Set<String>?
  ) -> Presentation? {
    guard let codec, let declared, declared.isDisjoint(with: [codec, codecOfVersions]) else {
      return nil
    }
    let codecs = declared.sorted().joined(separator: ", ")
    return Self(
      .preview, .codecNotSupported,
      "The video is \(codec); the player declares only \(codecs), and the service can make only "
        + "\(codecOfVersions).")
  }

  private init(
    of key: ArtworkKey, _ availability: ArtworkAvailability, for codecs: Set<String>?,
    unlessStopped stopped: Self?
  ) {
    switch availability {
    case .unknown:
      self.init(.cover, .unknownArtwork, "No source is registered for this artwork; PUT one.")
    case .refused(let code, let message):
      self.init(show: .cover, reason: Reason(code: code, message: message))
    case .ready(let broken, _, _) where broken.contains(Self.aspectRule):
      self.init(
        .cover, .ignored,
        "The video is not \(key.rawValue), so the system ignores the artwork (aspect-ratio).")
    case .registered(let hasPreview):
      self =
        stopped
        ?? (hasPreview
          ? Self(.preview, .notFetched, "The video is stored on the next request.")
          : Self(
            .cover, .preparing,
            "There is no preview yet; a request for it or for the video makes it."))
      if !hasPreview { show = .cover }
    case .withoutRoom(let message, let hasPreview):
      self = stopped ?? Self(.preview, .noSpace, message)
      if !hasPreview { show = .cover }
    case .ready(let broken, let warnings, let codec):
      self =
        stopped ?? Self.unplayable(broken, codec, for: codecs)
        ?? Self.withoutVersion(of: codec, for: codecs)
        ?? Self(.video, .plays, Self.playing(broken, warnings, codec, for: codecs))
    }
  }

  private init(_ show: Show, _ code: Code, _ message: String) {
    self.init(show: show, reason: Reason(code: code.rawValue, message: message))
  }

  private init(show: Show, reason: Reason) {
    self.show = show
    self.reason = reason
  }

  private static let aspectRule = "aspect-ratio"

  /// A video with more than 60 frames per second "may not be shown". A version would have as many.
  private static let rateRule = "frame-rate"

  /// AVPlayerLayer does not decode a video that breaks one of these; the service makes a version that it does.
  private static let decodingRules: Set<String> = [
    "codec", "codec-tag", "container", "pixel-format",
  ]

  /// The rules among `broken` for which a session gets a version of a video instead of the video itself. HEVC under another
  /// sample entry is only copied.
  package static func rulesForVersion(_ broken: [String], _ codec: String?) -> [String] {
    broken.filter { decodingRules.contains($0) && ($0 != "codec-tag" || codec != "hevc") }
  }

  /// The rules among `broken` that keep a video from being shown, sorted. A video that breaks other rules, such as
  /// `loop-seam`, is shown.
  ///
  /// - Parameters:
  ///   - codec: of the video; the videos made from animated pictures play.
  ///   - codecs: the codecs that the player declares, which then decide what plays; `nil` for those of Apple's
  ///     systems.
  package static func rulesAgainstVideo(
    _ broken: [String], _ codec: String?, for codecs: Set<String>? = nil
  ) -> [String] {
    let isJudged = codecs == nil && !isOfPictures(codec)
    return broken.filter { $0 == aspectRule || (isJudged && $0 == rateRule) }.sorted()
  }

  private static func isOfPictures(_ codec: String?) -> Bool {
    codec.map(picturesByCodec.contains) ?? false
  }

  private static func unplayable(
    _ broken: [String], _ codec: String?, for codecs: Set<String>?
  ) -> Self? {
    let fatalRules = rulesAgainstVideo(broken, codec, for: codecs)
    guard !fatalRules.isEmpty else { return nil }
    return Self(
      .preview, .doesNotPlay,
      "The video does not play on Apple systems (\(fatalRules.joined(separator: ", "))). A session whose "
        + "videoCodecs name \(codec ?? "its codec") gets it.")
  }

  private static func playing(
    _ broken: [String], _ warnings: [String], _ codec: String?, for codecs: Set<String>?
  ) -> String {
    let isConverted =
      codecs.map { declared in codec.map { !declared.contains($0) } ?? false }
      ?? (isOfPictures(codec) || broken.contains(where: decodingRules.contains))
    let rest = broken.filter { !isConverted || !decodingRules.contains($0) }
    let flaws = [("it breaks", rest), ("check warns of", warnings)].filter { !$1.isEmpty }
      .map { "\($0) \($1.sorted().joined(separator: ", "))" }
    let start =
      isConverted
      ? "The service converts the \(codec ?? "video") to a video, which plays"
      : flaws.isEmpty ? "The video plays and loops" : "The video plays"
    return ([start] + flaws).joined(separator: "; ") + "."
  }

  private static func unsupportedKey(_ key: ArtworkKey, _ conditions: DeviceConditions) -> Self? {
    guard !conditions.supportedKeys.contains(key) else { return nil }
    return Self(.cover, .unsupportedKey, "This system shows no \(key.rawValue) artwork.")
  }

  /// Why the device plays no video ("Providing animated artwork for media items", MediaPlayer); `nil` if it does.
  private static func stoppedVideo(_ conditions: DeviceConditions) -> Self? {
    if conditions.lowPower {
      Self(.preview, .lowPower, "Low Power Mode is on.")
    } else if conditions.lowData {
      Self(.preview, .lowData, "Low Data Mode is on.")
    } else if conditions.thermal.isHigh {
      Self(.preview, .thermal, "The device is too hot (\(conditions.thermal.rawValue)).")
    } else if conditions.reduceMotion {
      Self(.preview, .reduceMotion, "Reduce Motion is on.")
    } else if conditions.autoPlayOff {
      Self(.preview, .autoPlayOff, "Auto-play of animated images is off.")
    } else {
      nil
    }
  }
}

extension Presentation: Codable {}
