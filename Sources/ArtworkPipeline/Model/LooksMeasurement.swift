/// What was measured of how a clip looks, apart from its seam. Numbers only: rules judge them.
public struct LooksMeasurement: Sendable, Equatable, Codable {
  /// Which frames were looked at.
  public var scope: SeamMeasurement.Scope
  /// `nil` for a single frame, and where frames have no usable times.
  public var flash: FlashMeasurement?
  /// `nil` for pictures that are not stored as planes of Y'CbCr.
  public var borders: Borders?
  public var firstFrame: FirstFrame

  public init(
    scope: SeamMeasurement.Scope, flash: FlashMeasurement? = nil, borders: Borders? = nil,
    firstFrame: FirstFrame
  ) {
    self.scope = scope
    self.flash = flash
    self.borders = borders
    self.firstFrame = firstFrame
  }
}

/// How much there is to see in the first displayed frame, beside the others.
public struct FirstFrame: Sendable, Equatable, Codable {
  public var content: PictureContent
  /// The largest of all frames that were looked at.
  public var largest: PictureContent
  /// The mean luma of the first frame in 8-bit code values as coded.
  public var luma: Double
  /// When, in seconds from the first frame, the spread first reaches half of the largest; `nil` when only the ends
  /// were looked at or times are unusable.
  public var pictureSeconds: Double?

  public init(
    content: PictureContent, largest: PictureContent, luma: Double, pictureSeconds: Double? = nil
  ) {
    self.content = content
    self.largest = largest
    self.luma = luma
    self.pictureSeconds = pictureSeconds
  }
}

/// How far a picture is from one plain colour.
public struct PictureContent: Sendable, Equatable, Codable {
  /// The largest difference between the means of two of 16x16 cells, of luma or of chroma, in 8-bit code values: 0 for
  /// one colour, below 3 for one colour with grain.
  public var spread: Double
  /// The share of the luma that is more than 32 (of 255) from its mean, from 0 to 1: small things, such as stars, that
  /// the cells do not see. Of up to 64 rows; 0 for pictures that are not stored as planes of Y'CbCr.
  public var points: Double

  public init(spread: Double, points: Double = 0) {
    self.spread = spread
    self.points = points
  }
}
