import ArtworkModel
import Synchronization

/// An animated WebP file as a sequence of pictures, through libwebp: FFmpeg 5.1 cannot decode it.
///
/// Pictures are what browsers show: the whole canvas, transparent where no frame has drawn. The background colour of the
/// file is ignored, as the specification allows and browsers do.
final class WebPAnimation: Sendable {
  /// Whether this build can read WebP.
  static var isAvailable: Bool { WebPLibrary.version != nil }

  /// What the headers of a file say.
  struct Layout {
    var canvas: PixelSize
    /// How long each frame is shown, as the file says.
    var milliseconds: [Int64] = []
    /// No pixel of any picture is transparent.
    var isOpaque = true

    init(canvas: PixelSize) { self.canvas = canvas }

    mutating func append(
      milliseconds duration: Int64, isOpaque: Bool, coversCanvas: Bool, clears: Bool
    ) {
      // A frame that covers the canvas hides what was cleared before it; one that does not, shows it.
      let leavesHoles = !coversCanvas && (milliseconds.isEmpty || lastCleared)
      self.isOpaque = self.isOpaque && isOpaque && !leavesHoles
      lastCleared = clears
      milliseconds.append(duration)
    }

    private var lastCleared = false
  }

  private struct Reading: ~Copyable {
    var decoder: WebPFrameDecoder
    /// The picture that the decoder makes next.
    var next = 0
  }

  private let reading: Mutex<Reading>
  private let channels: PixelImage.Channels

  private init(
    _ bytes: [UInt8], canvas: PixelSize, channels: PixelImage.Channels
  ) throws(InspectionError) {
    reading = Mutex(Reading(decoder: try WebPFrameDecoder(bytes, canvas: canvas)))
    self.channels = channels
  }

  /// Reads the headers. Pictures are decoded when they are drawn, one after the other: to draw an earlier one again
  /// costs all up to it.
  ///
  /// - Throws: `truncated` or `decode-failed`; `too-large` or `too-many-frames` before any picture is allocated.
  static func open(_ bytes: [UInt8], limits: Limits) throws(InspectionError) -> PictureSequence {
    guard let layout = try WebPFrameDecoder.layout(of: bytes, mostFrames: limits.frames) else {
      throw InspectionError(.truncated, "the file ends early")
    }
    guard Int64(clamping: layout.canvas.area) <= limits.pixels else {
      throw InspectionError(
        .tooLarge, "the picture has \(layout.canvas) pixels (limit \(limits.pixels))")
    }
    guard layout.milliseconds.count <= limits.frames else {
      throw InspectionError(
        .tooManyFrames, "the file has more than \(limits.frames) pictures")
    }
    let animation = try WebPAnimation(
      bytes, canvas: layout.canvas, channels: layout.isOpaque ? .rgb : .rgba)
    return try PictureSequence(
      size: layout.canvas, durations: layout.milliseconds.map(shown),
      origin: PictureSequence.Origin(container: "webp", format: "webp", codec: "webp")
    ) { number throws(InspectionError) in try animation.picture(number) }
  }

  /// Seconds that browsers show a frame for: ten milliseconds or less count as a tenth of a second (Blink and Gecko, for
  /// all animated pictures; FFmpeg's `min_delay` and `default_delay` do the same for GIF).
  static func shown(milliseconds: Int64) -> Rational {
    Rational(milliseconds <= 10 ? 100 : milliseconds, 1000) ?? .one
  }

  private func picture(_ number: Int) throws(InspectionError) -> PixelImage {
    let drawn = reading.withLock { reading -> PixelImage? in
      if number < reading.next {
        reading.decoder.rewind()
        reading.next = 0
      }
      var picture: PixelImage?
      while reading.next <= number {
        picture = reading.decoder.next(channels)
        if picture == nil { return nil }
        reading.next += 1
      }
      return picture
    }
    guard let drawn else {
      throw InspectionError(.decodeFailed, "picture \(number) is damaged")
    }
    return drawn
  }
}
