public import ArtworkLottie

/// How an animation becomes a video.
public struct ImportRequest: Sendable, Equatable, Codable {
  /// The order in which the frames are shown.
  public enum LoopMode: Sendable, Equatable, Codable {
    /// Forward, once. A player repeats the video.
    case loop
    /// The same: a video does not say how often it is played.
    case once
    /// Forward and backward. The first and the last frame are there once, since each turn shows them once.
    case autoReverse
    /// Forward, this many times, at least 1.
    case repeated(Int)
    /// Forward and backward, this many times, at least 1.
    case repeatedBack(Int)
  }

  /// How a picture of another shape is placed, named as in UIKit. `fit` shows all of it, `fill` leaves no border; the
  /// places show it in its own size.
  public enum ContentMode: String, Sendable, Codable, CaseIterable {
    case fit, fill, stretch, center, top, bottom, left, right
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
  }

  /// A place in time.
  public enum Position: Sendable, Equatable, Codable {
    /// Counted from 0.
    case frame(Int)
    /// 0 to 1.
    case progress(Double)
    case seconds(Double)
  }

  /// Of the video; both sides are even.
  public var size: PixelSize
  public var loopMode = LoopMode.loop
  /// 2 is twice as fast.
  public var speed = Rational.one
  /// Frames a second, at most 60; `nil` for the animation's own times.
  public var rate: Rational?
  /// What shows through transparent parts, and around the picture.
  public var background = PixelColor.black
  public var contentMode = ContentMode.fit
  public var codec = MovieCodec.h264
  public var container = MovieContainer.mp4
  /// The first frame that is shown.
  public var start: Position?
  /// The first frame that is not shown any more.
  public var end: Position?
  /// How a vector animation is changed before it is drawn; frames count within the part that they choose.
  public var animation = AnimationEdits()

  public init(size: PixelSize) { self.size = size }

  /// The highest rate that animated artwork may have (Apple, "Providing animated artwork for media items").
  public static let highestRate: Int64 = 60
}

/// An opaque colour in sRGB.
public struct PixelColor: Sendable, Hashable, Codable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let black = PixelColor(red: 0, green: 0, blue: 0)
}

extension PixelSize {
  /// This size with each odd side one pixel longer: 4:2:0 needs even sides.
  package var even: PixelSize {
    PixelSize(width: width + width % 2, height: height + height % 2)
  }
}
