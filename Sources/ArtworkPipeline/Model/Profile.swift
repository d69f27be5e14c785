public import ArtworkModel

/// The limits of one destination. Rules are pure functions of an inspection and a profile. A limit that is
/// `nil` is not asked for. Those built in are in ``Profile/all``.
public struct Profile: Sendable, Equatable {
  public var name: String
  public var title: String
  /// Where its limits come from, and how sure that is.
  public var sources: [Source] = []

  public struct Source: Sendable, Equatable {
    /// What it says, and how we know.
    public var text: String
    public var address: String?

    public init(_ text: String, address: String? = nil) {
      self.text = text
      self.address = address
    }
  }

  /// The shapes that are taken.
  public var shapes: [ArtworkShape]
  /// The relative deviation from a shape's aspect up to which a file fits, and up to which it is only
  /// warned about.
  public var aspectTolerance = 0.005
  public var aspectWarning = 0.02
  /// Frames a second.
  public var minFrameRate: Rational?
  public var maxFrameRate: Rational? = Rational(60)
  /// Seconds; the clip must be at least and at most as long, and shorter than the last.
  public var durationAtLeast: Double?
  public var durationAtMost: Double?
  public var durationBelow: Double?
  /// Codecs that are taken, by FFmpeg's names, `prores-4444` for that profile of ProRes only; `nil` for what
  /// Apple systems play.
  public var codecs: [String]?
  /// Containers that are taken.
  public var containers = ["mp4", "mov", "3gp"]
  /// Pixels of the shorter side below which a picture is called small.
  public var smallestSide: Int?
  /// Bytes of the file.
  public var maxFileBytes: Int64?
  /// Bits a second over the whole file.
  public var maxBitRate: Int64?
  /// Pixels to be decoded a second.
  public var maxPixelRate: Int64?
  /// Ask for BT.709 or sRGB, stated.
  public var wantsBT709 = false
  /// General and red flashes within any second (WCAG 2.x, success criterion 2.3.1).
  public var maxFlashes = 3
  /// How alike the first frame and the static cover must be, from 0 to 1.
  public var coverLikeness = 0.65
  /// Below this, a first frame that resembles the cover is warned about for not being the cover; `nil` where it
  /// need not be.
  public var coverMatch: Double?
  /// The same for the first frames of the two variants.
  public var variantLikeness = 0.65
  public var seam = SeamThresholds.standard
  /// What is said by the rules named here, whatever they say of themselves.
  public var severities: [String: RuleSeverity] = [:]

  public init(name: String, title: String, shapes: [ArtworkShape]) {
    self.name = name
    self.title = title
    self.shapes = shapes
  }
}

/// What becomes of a rule's findings.
public enum RuleSeverity: String, Sendable, CaseIterable {
  case off, info, warning, error

  /// `nil` for a rule that is off.
  public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
}
