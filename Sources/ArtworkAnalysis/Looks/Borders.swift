/// Bars of one colour along the sides of the displayed picture, over all decoded frames.
public struct Borders: Sendable, Equatable, Codable {
  /// The area along one side in which luma stays within 8 (of 255) of the outermost line of the first frame.
  public struct Side: Sendable, Equatable, Codable {
    /// How far the colour extends inwards along half of the side, in displayed pixels; 0 if it extends over more
    /// than 45 % of the picture.
    public var depth: Int
    /// The share of the side along which the colour ends at that depth (within a sixtieth of the picture), and the
    /// share along which it ends earlier.
    public var straight: Double
    public var early: Double
    /// `contrast` is the mean difference of the line two pixels behind the edge and the line three pixels before it.
    /// `texture` is the standard deviation along the line behind the edge, or along one of two lines farther in, up
    /// to the middle of the picture. Both are the largest of all frames, in 8-bit code values.
    public var contrast: Double
    public var texture: Double
    /// The share of that contrast between two neighbouring lines: 0.2 for a gradient, 1 for a hard edge.
    public var hardness: Double
    /// The luma of the colour, in 8-bit code values as coded.
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
