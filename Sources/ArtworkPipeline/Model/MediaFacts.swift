public import ArtworkModel

/// Everything measured about a candidate that is not a judgement. Times are in seconds of the
/// presentation timeline, sizes in pixels; field names are part of the public JSON contract.
public struct MediaFacts: Sendable, Equatable, Codable {
  /// `mp4`, `mov`, `3gp`, `avif`, `webm`, `matroska`, `gif`, `apng`, ...
  public var container: String
  /// libavformat's name of the demuxer, for example `mov,mp4,m4a,3gp,3g2,mj2`.
  public var format: String
  /// The major brand of an ISO base media file, four characters.
  public var majorBrand: String?
  /// Whether the movie header (`moov`) precedes the media data; `nil` for other containers.
  public var movieHeaderFirst: Bool?

  public var codec: String
  public var profile: String?
  /// The sample entry's four characters, for example `avc1` or `hev1`.
  public var codecTag: String?
  public var pixelFormat: String
  public var bitDepth: Int
  /// `4:2:0`, `4:2:2`, `4:4:4`, ..., `rgb` or `gray`.
  public var chroma: String
  public var hasAlpha: Bool

  /// After the bitstream's own cropping.
  public var codedWidth: Int
  public var codedHeight: Int
  /// Before the bitstream's cropping: what the decoder allocates.
  public var paddedWidth: Int
  public var paddedHeight: Int
  /// The clean aperture, in coded pixels, where the container states one that crops.
  public var cleanAperture: CleanAperture?
  public var sampleAspect: Rational
  /// Clockwise degrees: 0, 90, 180 or 270.
  public var rotation: Int
  public var mirrored: Bool
  /// What is shown: square pixels, turned upright, rounded to whole pixels.
  public var displayWidth: Int
  public var displayHeight: Int
  /// Width over height, exactly.
  public var displayAspectRatio: Rational
  public var displayAspect: Double

  /// Frames a second: the exact rate of a constant stream, the mean rate of a variable one, the
  /// inverse of a single frame's duration; `nil` for streams without usable timestamps.
  public var frameRate: Double?
  public var frameRateRatio: Rational?
  public var frameRateMode: FrameRateMode
  /// The highest instantaneous rate: the inverse of the shortest step between two frames.
  public var maxFrameRate: Double?
  public var minFrameRate: Double?

  /// Displayed frames: what a player shows, edit list applied, hidden frames left out.
  public var frameCount: Int
  /// Frames that are decoded but cut by the edit list.
  public var discardedFrameCount: Int
  /// Frames that are shown before a key frame, other than the first, after which they are decoded; `nil` where
  /// timestamps are missing.
  public var leadingFrameCount: Int?
  public var durationSeconds: Double
  /// When the first displayed frame is shown.
  public var startSeconds: Double
  /// Segments of the video track's edit list, if it has one.
  public var editList: [EditSegment]?

  public var videoStreamCount: Int
  public var hasAudio: Bool
  public var color: ColorDescription
  public var fileBytes: Int64

  public var displayDescription: String { "\(displayWidth)x\(displayHeight)" }
}

public enum FrameRateMode: String, Sendable, Codable {
  case constant
  case variable
}

/// One entry of an edit list (ISO/IEC 14496-12, `elst`).
public struct EditSegment: Sendable, Equatable, Codable {
  /// How long the segment is shown.
  public var durationSeconds: Double
  /// Where in the media it starts; `nil` for an empty edit (nothing is shown).
  public var mediaSeconds: Double?

  public init(durationSeconds: Double, mediaSeconds: Double?) {
    self.durationSeconds = durationSeconds
    self.mediaSeconds = mediaSeconds
  }
}

/// The part of the coded picture that is meant to be seen (ISO/IEC 14496-12, `clap`), in whole pixels
/// from the top left corner.
public struct CleanAperture: Sendable, Hashable, Codable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
}
