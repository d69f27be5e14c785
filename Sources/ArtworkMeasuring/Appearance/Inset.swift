/// The square of a tall picture that most resembles an inset cover. Rules judge whether it is one.
package struct Inset: Sendable, Equatable, Codable {
  /// The square's left side and its side, in shares of the picture's width.
  package var left: Double
  package var side: Double
  /// Its top, in shares of the picture's height.
  package var top: Double
  /// The share of its outline, on the weakest side, along which luma jumps from one pixel to the next and is even
  /// before and after.
  package var outline: Double
  /// Differences of neighbouring pixels around the square relative to those inside: near 0 for plain colours and
  /// blur, 1 if the picture continues.
  package var surroundings: Double
  /// How well the areas above and below the full-width square mirror its inside: the smaller correlation, 1
  /// for a reflection; 0 if there is no room.
  package var mirroring: Double
}
