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
