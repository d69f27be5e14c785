/// Bars of one colour along the sides of the displayed picture, over all decoded frames.
package struct Borders: Sendable, Equatable, Codable {
  /// The area along one side in which luma stays within 8 (of 255) of the outermost line of the first frame.
  package struct Side: Sendable, Equatable, Codable {
    /// How far the colour extends inwards along half of the side, in displayed pixels; 0 if it extends over more
    /// than 45 % of the picture.
    package var depth: Int
    /// The share of the side along which the colour ends at that depth (within a sixtieth of the picture), and the
    /// share along which it ends earlier.
    package var straight: Double
    package var early: Double
    /// `contrast` is the mean difference of the line two pixels behind the edge and the line three pixels before it.
    /// `texture` is the standard deviation along the line behind the edge, or along one of two lines farther in, up
    /// to the middle of the picture. Both are the largest of all frames, in 8-bit code values.
    package var contrast: Double
    package var texture: Double
    /// The share of that contrast between two neighbouring lines: 0.2 for a gradient, 1 for a hard edge.
    package var hardness: Double
    /// The luma of the colour, in 8-bit code values as coded.
    package var level: Double

    package init(
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

  package var top: Side
  package var bottom: Side
  package var left: Side
  package var right: Side

  package init(top: Side, bottom: Side, left: Side, right: Side) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }
}
