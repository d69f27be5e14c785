/// A part of the picture on screen, in pixels from the top left corner.
package struct CropArea: Sendable, Equatable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the area of the whole picture.
  package init(_ facts: MediaFacts) {
    (x, y, width, height) = (0, 0, facts.displayWidth, facts.displayHeight)
  }

  package var size: PixelSize { PixelSize(width: width, height: height) }
}

/// Which part of a clip was chosen.
package struct CropReport: Sendable, Equatable, Codable {
  /// A part of the picture on screen, in pixels from the top left corner.
  package struct Window: Sendable, Equatable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    /// The share of the whole picture's visual interest, from 0 to 1.
    package var score: Double

    package init(x: Int, y: Int, width: Int, height: Int, score: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      self.score = score
    }

    package var area: CropArea { CropArea(x: x, y: y, width: width, height: height) }
  }

  package var window: Window
  /// The best part with a different subject; `nil` if there is no room for one.
  package var runnerUp: Window?
  /// The part in the middle.
  package var center: Window
  /// No part is clearly better than the others.
  package var isFlat: Bool
  /// Letters, or what looks like a line of them, are cut through.
  package var cutsLines = false
  package static let cutLines =
    "the crop cuts through letters, or what looks like them: look at it"
  /// The size of the new clip.
  package var size: PixelSize

  package init(
    window: Window, runnerUp: Window? = nil, center: Window, isFlat: Bool, size: PixelSize
  ) {
    (self.window, self.runnerUp, self.center) = (window, runnerUp, center)
    (self.isFlat, self.size) = (isFlat, size)
  }
}
