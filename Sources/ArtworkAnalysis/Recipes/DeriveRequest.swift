/// Which part of a clip becomes the other variant.
package struct DeriveRequest: Sendable, Equatable, Codable {
  package enum Focus: Sendable, Equatable, Codable {
    /// Where most is to be seen.
    case auto
    case center
    /// Around a point, in shares of the width and the height from the top left corner.
    case point(x: Double, y: Double)
  }

  /// The shape of the part; `nil` for the whole picture.
  package var key: ArtworkKey?
  package var focus: Focus
  /// What the part is reduced to; `nil` for its own size.
  package var size: PixelSize?
  /// Choose the part and make nothing.
  package var onlyPlans: Bool
  /// HDR stays HDR, in HEVC with 10 bits, whose encoder needs a thread; otherwise it is refused.
  package var keepsHDR: Bool

  package init(
    key: ArtworkKey?, focus: Focus = .auto, size: PixelSize? = nil, onlyPlans: Bool = false,
    keepsHDR: Bool = false
  ) {
    self.key = key
    self.focus = focus
    self.size = size
    self.onlyPlans = onlyPlans
    self.keepsHDR = keepsHDR
  }
}

/// Which part of a clip was chosen.
package struct DeriveReport: Sendable, Equatable, Codable {
  /// A part of the picture on screen, in pixels from the top left corner.
  package struct Window: Sendable, Equatable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    /// The share of what is to be seen in the whole picture, from 0 to 1.
    package var score: Double

    package init(
      x: Int, y: Int, width: Int, height: Int, score: Double
    ) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
      self.score = score
    }
  }

  package var window: Window
  /// The best part that shows something else; `nil` where there is no room for one.
  package var runnerUp: Window?
  /// The part in the middle.
  package var center: Window
  /// No part shows clearly more than the others.
  package var isFlat: Bool
  /// The size of the derived clip.
  package var size: PixelSize
  package var frameCount: Int

  package init(
    window: Window, runnerUp: Window? = nil, center: Window, isFlat: Bool, size: PixelSize,
    frameCount: Int
  ) {
    self.window = window
    self.runnerUp = runnerUp
    self.center = center
    self.isFlat = isFlat
    self.size = size
    self.frameCount = frameCount
  }
}

/// The other variant of a clip.
package struct DerivedClip: Sendable {
  package var report: DeriveReport
  /// The bytes of an MP4 file; empty where only the part was asked for.
  package var movie: [UInt8]
  /// Of the new file; `nil` without one.
  package var inspection: Inspection?

  package init(
    report: DeriveReport, movie: [UInt8], inspection: Inspection? = nil
  ) {
    self.report = report
    self.movie = movie
    self.inspection = inspection
  }
}
