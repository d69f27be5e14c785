/// The results of decoding a clip, besides its frames.
struct DecodedFrames {
  var format: DecodedFormat
  /// Presentation timestamps of all displayed frames in order, in the stream's time base.
  var timestamps: [Int64]
  /// The last frame's own duration in time base units, zero if unknown.
  var lastDuration: Int64
  var timeSource = TimeSource.presentation
  /// Why every packet was decoded; `nil` for the quick way.
  var fallback: Inspection.FullDecode?
  /// Whether the decoder outputs frames in an order that contradicts their timestamps.
  var isDisordered = false
  /// The first decoded frame of another size than the first frame.
  var resizedFrame: Int?
  var packetsDecoded: Int
  /// Packets the decoder refused.
  var errorCount: Int

  /// The number of displayed frames.
  var count: Int { timestamps.count }
}

/// Which frame of a clip one is.
package struct FramePlace: Equatable {
  /// The frame's number in presentation order, from 0.
  package var number: Int
  /// Displayed frames of the clip; `nil` while they are counted.
  package var count: Int?

  /// Whether it is not among the `ends` frames at either end; `false` while the frames are counted.
  package func isInside(_ ends: Int) -> Bool {
    count.map { (ends..<max(ends, $0 - ends)).contains(number) } ?? false
  }
}

/// The frames to read next.
package enum FrameRequest: Equatable {
  case nothing
  /// Frames by their numbers in presentation order.
  case frames(Set<Int>)
  /// Every frame from the first on.
  case everyFrame
}
