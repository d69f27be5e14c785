/// A part of the picture on screen, in pixels from the top left corner.
package struct CropArea: Sendable, Equatable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  /// Of the whole picture.
  package init(_ facts: MediaFacts) {
    (x, y, width, height) = (0, 0, facts.displayWidth, facts.displayHeight)
  }
}
