import Synchronization

/// The pictures of an animated WebP file, through libwebp: FFmpeg 5.1 cannot decode it.
///
/// Pictures are as in browsers: the whole canvas, transparent where no frame has drawn. The background colour of the
/// file is ignored, as the specification allows and browsers do.
final class WebPAnimation: Sendable {
  /// Whether this build can read WebP.
  static var isAvailable: Bool { WebPLibrary.version != nil }

  /// The structure of a file from its headers.
  struct Layout {
    var canvas: PixelSize
    /// The duration of each frame in the file.
    var milliseconds: [Int64] = []
    /// See ``MediaFacts/playCount``.
    var playCount: Int?
    /// No pixel of any picture is transparent.
    var isOpaque = true

    init(canvas: PixelSize) { self.canvas = canvas }

    mutating func append(
      milliseconds duration: Int64, isOpaque: Bool, blends: Bool, coversCanvas: Bool, clears: Bool
    ) {
      // A frame that covers the canvas hides areas cleared before it; one that does not, leaves them visible.
      let isFresh = milliseconds.isEmpty || lastCleared
      let leavesHoles = !coversCanvas && isFresh
      // One that is drawn over an opaque canvas leaves it so.
      self.isOpaque = self.isOpaque && (isOpaque || blends && !isFresh) && !leavesHoles
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

  let layout: Layout
  private let reading: Mutex<Reading>

  /// Reads the headers. Pictures are decoded when they are drawn, one after the other: to draw an earlier one again
  /// costs all up to it.
  ///
  /// - Throws: `truncated` or `decode-failed`; `too-large` or `too-many-frames` before any picture is allocated.
  init(_ bytes: [UInt8], limits: Limits) throws(InspectionError) {
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
    self.layout = layout
    reading = Mutex(Reading(decoder: try WebPFrameDecoder(bytes, canvas: layout.canvas)))
  }

  private static let longestShortDelay: Int64 = 10

  /// Frame durations in browsers, in seconds: ten milliseconds or less count as a tenth of a second (Blink and Gecko,
  /// for all animated pictures; FFmpeg's `min_delay` and `default_delay` do the same for GIF).
  var durations: [Rational] {
    layout.milliseconds.map {
      Rational($0 <= Self.longestShortDelay ? 100 : $0, 1000) ?? .one
    }
  }

  /// Frames that last longer than the file states.
  var shortDelays: Int { layout.milliseconds.count { $0 <= Self.longestShortDelay } }

  /// The canvas after frame `number`, counted from 0.
  ///
  /// - Throws: `decode-failed`.
  func picture(_ number: Int) throws(InspectionError) -> PixelImage {
    let drawn = reading.withLock { reading -> PixelImage? in
      if number < reading.next {
        reading.decoder.rewind()
        reading.next = 0
      }
      var picture: PixelImage?
      while reading.next <= number {
        picture = reading.decoder.next(layout.isOpaque ? .rgb : .rgba)
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
