/// Bars of one colour along the sides of the displayed picture, over all decoded frames.
package struct Borders: Sendable, Equatable, Codable {
  /// The area along one side in which luma stays within 8 (of 255) of the outermost line of the first frame.
  package struct Side: Sendable, Equatable, Codable {
    /// How far the colour extends inwards along half of the side, in displayed pixels; 0 if it extends over more
    /// than 45 % of the picture.
    package var depth: Int
    /// The share of the side along which the colour ends at that depth (within a sixtieth of the picture), and the
    /// share along which it ends earlier.
    package var straight: Double = 0
    package var early: Double = 0
    /// `contrast` is the mean difference of the line two pixels behind the edge and the line three pixels before it.
    /// `texture` is the standard deviation along the line behind the edge, or along one of two lines farther in, up
    /// to the middle of the picture. Both are the largest of all frames, in 8-bit code values.
    package var contrast: Double = 0
    package var texture: Double = 0
    /// The share of that contrast between two neighbouring lines: 0.2 for a gradient, 1 for a hard edge.
    package var hardness: Double = 0
    /// The luma of the colour, in 8-bit code values as coded.
    package var level: Double = 0
  }

  package var top: Side
  package var bottom: Side
  package var left: Side
  package var right: Side
}
