/// Sets a cover in motion: draws the picture of any moment of a loop.
///
/// A new effect is one file in this folder, a case of ``Motion/Kind``, and its line in ``Motion/effect(on:)``.
package protocol Effect: Sendable {
  static var kind: Motion.Kind { get }

  /// The picture at a moment. Every effect is a closed curve: 1 is the same moment as 0, and nothing jumps in
  /// between.
  ///
  /// - Parameter phase: 0 to 1; 0 is the cover itself.
  /// - Returns: R, G, B in the size of the loop.
  /// - Throws: `out-of-memory`.
  func picture(at phase: Double) throws(InspectionError) -> PixelImage
}
