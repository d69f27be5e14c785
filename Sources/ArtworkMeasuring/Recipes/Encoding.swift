/// How frames become pictures of a new video.
public struct Encoding: Sendable, Equatable, Codable {
  /// The form in which frames reach the encoder.
  package enum Form: Sendable, Equatable, Codable {
    /// The samples of its planes, if possible; the video gets the source's rotation.
    case stored
    /// The picture as displayed, upright, in sRGB, without HDR and transparency.
    case drawn(Drawing)
  }

  /// The part of each frame that is used.
  package enum Area: Sendable, Equatable, Codable {
    case whole
    /// A part of a picture of this size.
    case part(CropArea, of: PixelSize)
    /// The largest part with a shape, chosen by visual interest; the whole picture without a key.
    case chosen(ArtworkKey?, Focus)
  }

  /// The position of the part for ``Area/chosen(_:_:)``.
  public enum Focus: Sendable, Equatable, Codable {
    /// The position with the most visual interest.
    case auto
    case center
    /// Around a point, in shares of the width and the height from the top left corner.
    case point(x: Double, y: Double)
  }

  package var codec: MovieCodec
  package var form: Form
  package var area: Area
  /// Displayed size of the result, with even sides; `nil` for the size of a chosen area.
  package var size: PixelSize?
  /// Colours of the result; `nil` for those of the source. HDR stays HDR in HEVC with 10 bits, and is refused for H.264.
  package var color: ColorDescription?
  package var rateLimit: RateLimit?
  /// 1 to 100, of a cover in motion; `nil` for what suits the motion.
  package var quality: Int?
  /// Whether somebody waits for it: a third of the time, for half a decibel of PSNR.
  package var isQuick = false
  /// Taken out of the light of the frames.
  package var drift: LightDrift?

  package init(
    codec: MovieCodec = .h264, form: Form, area: Area = .whole, size: PixelSize?,
    color: ColorDescription? = nil, rateLimit: RateLimit? = nil
  ) {
    (self.codec, self.form, self.area, self.size) = (codec, form, area, size)
    (self.color, self.rateLimit) = (color, rateLimit)
  }
}

/// How pictures are drawn on the canvas of a video.
public struct Drawing: Sendable, Equatable, Codable {
  /// The placement of a picture with another shape, named as in UIKit. `fit` shows all of it, `fill` leaves no
  /// border; the positions do not scale it.
  public enum ContentMode: String, Sendable, Codable, CaseIterable {
    case fit, fill, stretch, center, top, bottom, left, right
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
  }

  /// The colour behind transparent parts, and around the picture.
  public var background = PixelColor.black
  public var contentMode = ContentMode.fit
  /// How a vector animation is changed before it is drawn; frames count within the part that they choose.
  public var animation = AnimationEdits()
  /// How a still cover is set in motion; `nil` for the frames of the source.
  package var motion: Motion?

  public init() {}
}

/// How the frames of a source were used in a new video, in addition to ``MediaFacts``.
package struct EncodingReport: Sendable, Equatable, Codable {
  /// Frames of the source in the selected part, and their total duration there, in seconds.
  package var sourceFrames: Int
  package var sourceSeconds: Double
  /// Frames of the video and its length in seconds.
  package var frameCount: Int
  package var durationSeconds: Double
  /// The source's rate was above 60 and became this.
  package var loweredRate: Double?
  /// The source is transparent in places.
  package var isFlattened = false
  /// Frames with a delay of 0 or 10 ms, which last 100 ms as in browsers.
  package var raisedDelays = 0
  /// What is left of a source that is cut short, in words.
  package var rest: String?
  /// The crop chosen for ``Encoding/Area/chosen(_:_:)``.
  package var crop: CropReport?
  /// The motion of a cover, which may differ from the requested one; `nil` for other sources.
  package var motion: Motion.Kind?

  package init(
    sourceFrames: Int, sourceSeconds: Double, frameCount: Int, durationSeconds: Double,
    loweredRate: Double? = nil, raisedDelays: Int = 0, crop: CropReport? = nil
  ) {
    (self.sourceFrames, self.sourceSeconds) = (sourceFrames, sourceSeconds)
    (self.frameCount, self.durationSeconds) = (frameCount, durationSeconds)
    (self.loweredRate, self.raisedDelays, self.crop) = (loweredRate, raisedDelays, crop)
  }
}
