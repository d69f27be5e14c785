/// A part of the picture on screen, in pixels from the top left corner.
struct CropArea: Sendable, Equatable, Codable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// Of the whole picture.
  init(_ facts: MediaFacts) {
    (x, y, width, height) = (0, 0, facts.displayWidth, facts.displayHeight)
  }
}
