/// Bars of one colour along the sides of the displayed picture, in all frames that were looked at.
public struct Borders: Sendable, Equatable, Codable {
  /// What lies along one side, as far as luma stays within 8 (of 255) of the outermost line of the first frame.
  public struct Side: Sendable, Equatable, Codable {
    /// How far the colour reaches from the side inwards over half of its length, in displayed pixels; 0 where it
    /// reaches farther than 45 % of the picture.
    public var depth: Int
    /// The shares of the side's length over which the colour ends at that depth (within a sixtieth of the picture),
    /// and before it.
    public var straight: Double
    public var early: Double
    /// How much the line two pixels behind the edge differs from the one three before it on average, and how much that
    /// line or one of two farther in, up to the middle of the picture, differs along itself (standard deviation); the
    /// largest of all frames, in 8-bit code values.
    public var contrast: Double
    public var texture: Double
    /// The share of that contrast that lies between two neighbouring lines: 0.2 for a gradient, 1 for a cut.
    public var hardness: Double
    /// Luma of the colour in 8-bit code values as coded.
    public var level: Double

    public init(
      depth: Int, straight: Double = 0, early: Double = 0, contrast: Double = 0,
      texture: Double = 0, hardness: Double = 0, level: Double = 0
    ) {
      self.depth = depth
      self.straight = straight
      self.early = early
      self.contrast = contrast
      self.texture = texture
      self.hardness = hardness
      self.level = level
    }
  }

  public var top: Side
  public var bottom: Side
  public var left: Side
  public var right: Side

  public init(top: Side, bottom: Side, left: Side, right: Side) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }
}
