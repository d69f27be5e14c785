/// The facts about a candidate. Times are in seconds of the presentation timeline, sizes in pixels. Field names are
/// part of the public JSON contract.
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
  /// Before the bitstream's own cropping, as the decoder allocates it.
  public var paddedWidth: Int
  public var paddedHeight: Int
  /// The clean aperture in coded pixels, if the container states one that crops the picture.
  package var cleanAperture: CleanAperture?
  public var sampleAspect: Rational
  /// Clockwise degrees: 0, 90, 180 or 270.
  public var rotation: Int
  public var mirrored: Bool
  /// The display size: upright, with square pixels, rounded to whole pixels.
  public var displayWidth: Int
  public var displayHeight: Int
  /// Width over height, exactly.
  public var displayAspectRatio: Rational
  public var displayAspect: Double

  /// Frames per second: the exact rate of a constant stream, the mean rate of a variable one, or the inverse of a
  /// single frame's duration; `nil` for streams without usable timestamps.
  public var frameRate: Double?
  public var frameRateRatio: Rational?
  public var frameRateMode: FrameRateMode
  /// The highest instantaneous rate: the inverse of the shortest interval between two frames.
  public var maxFrameRate: Double?
  public var minFrameRate: Double?

  /// The number of displayed frames, after the edit list, without hidden frames.
  public var frameCount: Int
  /// Frames that are decoded but hidden by the edit list.
  public var discardedFrameCount: Int
  /// Leading frames: decoded after a keyframe other than the first, but displayed before it; `nil` if timestamps are
  /// missing.
  public var leadingFrameCount: Int?
  public var durationSeconds: Double
  /// The presentation time of the first displayed frame.
  public var startSeconds: Double
  /// The duration of the last frame.
  public var lastFrameSeconds: Double?
  /// The edit list of the video track, if it has one.
  package var editList: [EditSegment]?
  /// The length of the presentation, as the header of the movie or segment states it; `nil` if it states none.
  public var movieSeconds: Double?
  /// The ends of the tracks: all of an MP4 or QuickTime file, only audio tracks in others; `nil` if unknown.
  package var tracks: [TrackSpan]?

  public var videoStreamCount: Int
  /// The index of the video stream, for `ffmpeg -map 0:N`; `nil` if the source is no file.
  public var streamIndex: Int?
  public var hasAudio: Bool
  public var color: ColorDescription
  /// The features of an animation that are not drawn, at most 100 places; `nil` for anything that is not an
  /// animation.
  public var unsupported: [Limitation]?
  public var fileBytes: Int64

  // Properties that the container leaves open.

  /// The source of the frame times; `nil` in results of older versions.
  package var timeSource: TimeSource?
  /// The location of the parameter sets of H.264 and HEVC in an MP4 or QuickTime file; `nil` for everything else.
  package var parameterSets: ParameterSetPlace?
  /// Whether those among the frames can move into the header, because the first frame has all; `nil` elsewhere.
  public var hasMovableParameterSets: Bool?
  /// The colours in the container of an MP4 or QuickTime file, if they contradict ``color``, which follows the
  /// bitstream.
  public var containerColor: ColorDescription?
  /// Whether transparency is in a separate track or layer that is not read, as in HEVC with alpha; `nil` if there is
  /// none.
  public var hasUnreadAlpha: Bool?
  /// Whether the frames of an animated PNG carry other sequence numbers than 0, 1, 2 and so on; `nil` if they do not.
  public var isMisnumbered: Bool?
  /// How many times an animated picture plays before it stops; `nil` if it repeats without end, and for videos.
  public var playCount: Int?
  /// The length in seconds that the headers of the track state, if it contradicts the times of its frames; `nil` if it
  /// does not.
  public var contradictedSeconds: Double?
  /// Whether the header of the track says that it is not enabled, so that players treat it as absent; `nil` if it is.
  public var isDisabled: Bool?
  /// The size that the header of an MP4 or QuickTime file states, if its pictures have another one; `nil` if it does
  /// not contradict them.
  public var contradictedSize: String?
  /// Whether the header turns the picture by anything but quarters, or scales it to nothing; `nil` if it does not.
  public var isOddlyTurned: Bool?
  /// The first frame whose size differs from that of the frames before, or that comes with other parameter sets of
  /// H.264 or HEVC; `nil` for none. Sizes are known of the decoded frames only.
  public var changesAtFrame: Int?
  /// Whether the file states that the author of the animation means the rest of its last frame, as videos that are
  /// made from animations do; `nil` if it does not.
  public var restsAtEnd: Bool?
  /// The usual name of the codec with its profile: for example `ProRes 422 LT` or `HEVC Main 10`; `nil` if the
  /// profile is not known.
  public var codecTitle: String?
  /// The level that H.264 and HEVC state, for example `4.1`.
  public var level: String?
  /// How the lines of a frame belong together; `nil` for pictures, and in results of older versions.
  public var fieldOrder: FieldOrder?
  /// The Dolby Vision profile of an MP4 or QuickTime file, with the compatibility ID if it is stated: for example `5`
  /// or `8.4`; `nil` for all other files.
  public var dolbyVision: String?

  /// The first part that the edit list plays at another speed, or holds; `nil` for none. FFmpeg and browsers play all at
  /// the usual one.
  package var retimedEdit: EditSegment? { editList?.first { $0.rate != nil } }

  public var displayDescription: String { "\(displayWidth)x\(displayHeight)" }

  /// Whether sizes and counts are in the ranges of real files, so that code may calculate with them without checks:
  /// sides of 1 to 2^31 - 1 pixels, counts of 0 or more, quarter turns. A compromised worker may report anything.
  package var isPossible: Bool {
    let sides = [codedWidth, codedHeight, paddedWidth, paddedHeight, displayWidth, displayHeight]
    let counts = [
      frameCount, discardedFrameCount, leadingFrameCount ?? 0, videoStreamCount, bitDepth,
      playCount ?? 0, changesAtFrame ?? 0,
    ]
    return sides.allSatisfy((1...Int(Int32.max)).contains) && counts.allSatisfy { $0 >= 0 }
      && [0, 90, 180, 270].contains(rotation) && fileBytes >= 0 && (streamIndex ?? 0) >= 0
      && durationSeconds >= 0 && sampleAspect > Rational(0) && displayAspectRatio > Rational(0)
      && (cleanAperture.map { area in
        area.x >= 0 && area.y >= 0
          && [area.width, area.height].allSatisfy((1...Int(Int32.max)).contains)
      } ?? true)
  }

  package init(
    container: String, format: String, majorBrand: String? = nil, movieHeaderFirst: Bool? = nil,
    codec: String, profile: String? = nil, codecTag: String? = nil, pixelFormat: String,
    bitDepth: Int, chroma: String, hasAlpha: Bool, codedWidth: Int, codedHeight: Int,
    paddedWidth: Int, paddedHeight: Int, cleanAperture: CleanAperture? = nil,
    sampleAspect: Rational, rotation: Int, mirrored: Bool, displayWidth: Int, displayHeight: Int,
    displayAspectRatio: Rational, displayAspect: Double, frameRate: Double? = nil,
    frameRateRatio: Rational? = nil, frameRateMode: FrameRateMode, maxFrameRate: Double? = nil,
    minFrameRate: Double? = nil, frameCount: Int, discardedFrameCount: Int,
    leadingFrameCount: Int? = nil, durationSeconds: Double, startSeconds: Double,
    lastFrameSeconds: Double? = nil, editList: [EditSegment]? = nil, movieSeconds: Double? = nil,
    tracks: [TrackSpan]? = nil, videoStreamCount: Int, streamIndex: Int? = nil, hasAudio: Bool,
    color: ColorDescription, unsupported: [Limitation]? = nil,
    fileBytes: Int64
  ) {
    self.container = container
    self.format = format
    self.majorBrand = majorBrand
    self.movieHeaderFirst = movieHeaderFirst
    self.codec = codec
    self.profile = profile
    self.codecTag = codecTag
    self.pixelFormat = pixelFormat
    self.bitDepth = bitDepth
    self.chroma = chroma
    self.hasAlpha = hasAlpha
    self.codedWidth = codedWidth
    self.codedHeight = codedHeight
    self.paddedWidth = paddedWidth
    self.paddedHeight = paddedHeight
    self.cleanAperture = cleanAperture
    self.sampleAspect = sampleAspect
    self.rotation = rotation
    self.mirrored = mirrored
    self.displayWidth = displayWidth
    self.displayHeight = displayHeight
    self.displayAspectRatio = displayAspectRatio
    self.displayAspect = displayAspect
    self.frameRate = frameRate
    self.frameRateRatio = frameRateRatio
    self.frameRateMode = frameRateMode
    self.maxFrameRate = maxFrameRate
    self.minFrameRate = minFrameRate
    self.frameCount = frameCount
    self.discardedFrameCount = discardedFrameCount
    self.leadingFrameCount = leadingFrameCount
    self.durationSeconds = durationSeconds
    self.startSeconds = startSeconds
    self.lastFrameSeconds = lastFrameSeconds
    self.editList = editList
    self.movieSeconds = movieSeconds
    self.tracks = tracks
    self.videoStreamCount = videoStreamCount
    self.streamIndex = streamIndex
    self.hasAudio = hasAudio
    self.color = color
    self.unsupported = unsupported
    self.fileBytes = fileBytes
  }
}

/// The source of the frame times.
package enum TimeSource: String, Sendable, Codable {
  /// The container has presentation timestamps.
  case presentation
  /// The container has only decoding timestamps, as AVI does with its constant rate. The same number of frames is
  /// displayed at the same times.
  case decoding
  /// Neither: the timestamps come from the decoder.
  case unknown
}

/// The location of parameter sets, without which no frame can be decoded (ISO/IEC 14496-15).
package enum ParameterSetPlace: String, Sendable, Codable {
  /// The sample entry.
  case header
  /// Among the frames only.
  case frames
}

/// How the lines of a frame belong together.
public enum FieldOrder: String, Sendable, Codable {
  /// All lines are of one moment.
  case progressive
  /// Every other line is of a later moment: the upper or the lower line comes first.
  case upperFirst = "upper-first"
  case lowerFirst = "lower-first"
}

public enum FrameRateMode: String, Sendable, Codable {
  case constant
  case variable
}

/// One entry of an edit list (ISO/IEC 14496-12, `elst`).
package struct EditSegment: Sendable, Equatable, Codable {
  /// The duration of the segment.
  package var durationSeconds: Double
  /// Its start in the media; `nil` for an empty edit, which displays nothing.
  package var mediaSeconds: Double?
  /// The speed of the media, with 0 for a frame that is held; `nil` for the usual one, 1, and for an empty edit.
  package var rate: Double?

  package init(durationSeconds: Double, mediaSeconds: Double?, rate: Double? = nil) {
    self.durationSeconds = durationSeconds
    self.mediaSeconds = mediaSeconds
    self.rate = rate
  }
}

/// The visible part of the coded picture (ISO/IEC 14496-12, `clap`), in whole pixels from the top left corner.
package struct CleanAperture: Sendable, Hashable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  /// Whether a picture of this size has all of it, and it is not empty.
  package func isInside(width pictureWidth: Int, height pictureHeight: Int) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0 && x <= pictureWidth - width
      && y <= pictureHeight - height
  }

  package init(
    x: Int, y: Int, width: Int, height: Int
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
