/// The square of a tall picture that looks most like a cover with something around it. Rules judge whether it is one.
package struct Inset: Sendable, Equatable, Codable {
  /// The square's left side and its side, in shares of the picture's width.
  package var left: Double
  package var side: Double
  /// Its top, in shares of the picture's height.
  package var top: Double
  /// The share of its outline, on the side where it is least, along which luma jumps from one pixel to the next and is even
  /// before and after.
  package var outline: Double
  /// Differences of neighbouring pixels around the square over those inside: near 0 for plain colours and blur, 1 for a
  /// picture that goes on.
  package var surroundings: Double
  /// How well what is above and below the square of the picture's width mirrors what is inside: the smaller correlation, 1
  /// for a reflection; 0 where it has no room.
  package var mirroring: Double

  package init(
    left: Double, side: Double, top: Double, outline: Double, surroundings: Double,
    mirroring: Double
  ) {
    (self.left, self.side, self.top) = (left, side, top)
    (self.outline, self.surroundings, self.mirroring) = (outline, surroundings, mirroring)
  }
}
