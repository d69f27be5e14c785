/// A part of the picture on screen, in pixels from the top left corner.
public struct CropArea: Sendable, Equatable, Codable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Of the whole picture.
  package init(_ facts: MediaFacts) {
    (x, y, width, height) = (0, 0, facts.displayWidth, facts.displayHeight)
  }

  package var size: PixelSize { PixelSize(width: width, height: height) }
}

/// Which part of a clip was chosen.
public struct CropReport: Sendable, Equatable, Codable {
  /// A part of the picture on screen, in pixels from the top left corner.
  public struct Window: Sendable, Equatable, Codable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int
    /// The share of what is to be seen in the whole picture, from 0 to 1.
    public var score: Double

    package init(x: Int, y: Int, width: Int, height: Int, score: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      self.score = score
    }

    package var area: CropArea { CropArea(x: x, y: y, width: width, height: height) }
  }

  public var window: Window
  /// The best part that shows something else; `nil` where there is no room for one.
  public var runnerUp: Window?
  /// The part in the middle.
  public var center: Window
  /// No part shows clearly more than the others.
  public var isFlat: Bool
  /// The size of the new clip.
  public var size: PixelSize

  package init(
    window: Window, runnerUp: Window? = nil, center: Window, isFlat: Bool, size: PixelSize
  ) {
    (self.window, self.runnerUp, self.center) = (window, runnerUp, center)
    (self.isFlat, self.size) = (isFlat, size)
  }
}
