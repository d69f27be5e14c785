/// The limits of one destination. Rules are pure functions of an inspection and a profile. A limit that is `nil` does
/// not apply. ``Profile/all`` has the built-in profiles.
public struct Profile: Sendable, Equatable {
  public var name: String
  public var title: String
  /// The sources of its limits, and their reliability.
  public var sources: [Source] = []

  public struct Source: Sendable, Equatable {
    /// The claim, and whether it is first-hand.
    public var text: String
    public var address: String?

    public init(_ text: String, address: String? = nil) {
      self.text = text
      self.address = address
    }

    static let threeFlashes = Source(
      "At most three flashes per second: WCAG 2.2, success criterion 2.3.1.",
      address: "https://www.w3.org/WAI/WCAG22/Understanding/three-flashes-or-below-threshold.html")
  }

  /// The accepted shapes; empty if any is.
  public var shapes: [ArtworkShape]
  /// The largest relative deviation from the aspect ratio that fits, and the largest that is only a warning.
  public var aspectTolerance = 0.005
  public var aspectWarning = 0.02
  /// Whether a picture may have any shape unless its name, a manifest or an option states its key.
  public var judgesNamedShapesOnly = false
  /// The lowest and the highest accepted number of frames per second.
  public var minFrameRate: Rational?
  public var maxFrameRate: Rational? = Rational(60)
  /// The only accepted rates, in ascending order; `nil` for all between the limits.
  public var frameRates: [Rational]?
  /// Seconds: the minimum, the maximum, and an exclusive maximum.
  public var durationAtLeast: Double?
  public var durationAtMost: Double?
  public var durationBelow: Double?
  /// The accepted codecs in FFmpeg's names, with `prores-4444`, `prores-hq`, `prores-standard` or `prores-lt` for
  /// that profile of ProRes only; `nil` for those that Apple systems play.
  public var codecs: [String]?
  /// The accepted containers.
  public var containers = ["mp4", "mov", "3gp"]
  /// The name of the player of the artwork, for sentences.
  public var player = "AVFoundation"
  /// The minimum of the shorter side, in pixels.
  public var smallestSide: Int?
  /// The size of the file, in bytes.
  public var maxFileBytes: Int64?
  /// Bits per second over the whole file.
  public var minBitRate: Int64?
  public var maxBitRate: Int64?
  /// Decoded pixels per second.
  public var maxPixelRate: Int64?
  /// Whether stated colours have to be BT.709 or sRGB.
  public var wantsBT709 = false
  /// Whether full-range colours are refused, and not only shown differently by some players.
  public var wantsLimitedRange = false
  /// General or red flashes in any second (WCAG 2.x, success criterion 2.3.1).
  public var maxFlashes = 3
  /// The minimum likeness of the first frame and the static cover, from 0 to 1.
  public var coverLikeness = 0.65
  /// The minimum likeness if the first frame has to be the cover; `nil` if it may differ.
  public var coverMatch: Double?
  /// The minimum likeness of the first frames of both variants.
  public var variantLikeness = 0.65
  package var seam = SeamThresholds.standard
  /// Severities by rule id. They replace those of the rules.
  public var severities: [String: RuleSeverity] = [:]

  public init(name: String, title: String, shapes: [ArtworkShape]) {
    self.name = name
    self.title = title
    self.shapes = shapes
  }

  /// Whether it takes animated pictures only, and no video.
  package var acceptsPicturesOnly: Bool {
    containers.allSatisfy { ["gif", "apng", "webp", "avif"].contains($0) }
  }
}

/// The severity of a rule, or `off`.
public enum RuleSeverity: String, Sendable, Codable, CaseIterable {
  case off, info, warning, error

  /// `nil` for a rule that is off.
  public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
}

extension Profile {
  /// A loop of any shape that browsers and desktops play: heroes of web pages, wallpapers, clips of models.
  public static let loop: Profile = {
    var profile = Profile(
      name: "loop", title: "Loops of any shape (web, desktop, games)", shapes: [])
    profile.player = "a browser"
    profile.containers = ["mp4", "mov", "webm", "webp", "gif", "apng"]
    profile.codecs = ["h264", "vp9", "av1", "vp8", "hevc", "webp", "gif", "apng"]
    (profile.durationAtMost, profile.maxFileBytes) = (60, 50_000_000)
    profile.maxFrameRate = nil
    let off = [
      "audio-track", "banding", "blockiness", "closed-gop", "codec-tag", "color", "decode-cost",
      "fast-start", "letterbox", "softness", "start-offset", "preview-aspect", "preview-match",
      "pair", "inset-cover", "complementary", "artwork-id-reuse", "duplicate-content",
    ]
    profile.severities = Dictionary(uniqueKeysWithValues: off.map { ($0, RuleSeverity.off) })
    profile.severities.merge(["container": .warning, "codec": .warning, "pixel-format": .warning]) {
      $1
    }
    profile.sources = [
      Source(
        "H.264, VP8, VP9, AV1 and animated pictures play in browsers, HEVC in some.",
        address: "https://developer.mozilla.org/docs/Web/Media/Guides/Formats/Video_codecs"),
      .threeFlashes,
      Source("Ours: at most 60 s and 50 MB. The shape is free."),
    ]
    return profile
  }()
}

/// Destinations that accept animated pictures, but no video.
extension Profile {
  /// The common limits of animated pictures. Rules about movie files, players of videos and previews are off, and no shape
  /// is an error.
  private static func pictures(
    _ name: String, _ title: String, player: String, formats: [String]
  ) -> Profile {
    var profile = Profile(
      name: name, title: title, shapes: [ArtworkShape(name: "1:1", aspect: .one)])
    profile.player = player
    profile.containers = formats
    profile.codecs = formats.map { $0 == "avif" ? "av1" : $0 }
    profile.severities = [
      "aspect-ratio": .warning, "codec-tag": .off, "pixel-format": .off, "frame-rate-mode": .off,
      "start-offset": .off, "loop-gap": .off, "audio-track": .off, "decode-cost": .off,
      "fast-start": .off, "closed-gop": .off, "preview-aspect": .off, "preview-match": .off,
      "pair": .off, "inset-cover": .off, "complementary": .off,
    ]
    return profile
  }

  /// A picture in Discord.
  public static let discord: Profile = {
    var profile = pictures(
      "discord", "Discord (animated picture)", player: "Discord",
      formats: ["webp", "gif", "avif"])
    profile.maxFileBytes = 10_000_000
    profile.sources = [
      Source(
        "Discord's documentation of Rich Presence: at an external address, GIF, animated WebP and AVIF move. Read in autumn 2026.",
        address: "https://github.com/discord/discord-api-docs/pull/8280"),
      Source(
        "Threads of users and developers, 2025 and 2026: video does not move, and files of tens of megabytes never load. They are second-hand."
      ),
      Source("Ours: at most 10 MB, and a square picture."),
    ]
    return profile
  }()

  /// The cover of an album in Navidrome.
  public static let navidrome: Profile = {
    var profile = pictures(
      "navidrome", "Navidrome (animated cover beside the music)", player: "Navidrome",
      formats: ["webp", "gif"])
    profile.sources = [
      Source(
        "Threads of users and developers, 2025 and 2026: cover.webp and cover.gif are served unchanged, and no MP4. They are second-hand. The name is not checked: it has to be cover.webp or cover.gif."
      ),
      Source("Ours: a square picture."),
    ]
    return profile
  }()

  /// The picture of an album in Jellyfin.
  public static let jellyfin: Profile = {
    var profile = pictures(
      "jellyfin", "Jellyfin (animated picture)", player: "Jellyfin",
      formats: ["webp", "gif", "apng"])
    profile.sources = [
      Source(
        "Threads of users and developers, 2025 and 2026: animated pictures are passed through without decoding, so that what the client animates moves. They are second-hand."
      ),
      Source("Ours: a square picture."),
    ]
    return profile
  }()
}
