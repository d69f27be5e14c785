import ArtworkModel

/// When the frames of a clip are shown.
struct ClipClock {
  /// Presentation timestamps of all displayed frames in order, and the duration of the last one, zero where unknown;
  /// in units of `timeBase` seconds.
  var timestamps: [Int64]
  var lastDuration: Int64
  var timeBase: Rational
  /// The usual step between frames in the same unit.
  var medianStep: Int64
  /// Numbers of frames that can be read without those before them, ascending.
  var keyFrames: [Int] = []
  /// How much data each frame takes in bytes; empty where unknown. See ``PacketSizes``.
  var sizes: [Int] = []

  /// Displayed frames.
  var count: Int { timestamps.count }
  /// The usual time between two frames in seconds.
  var interval: Double { Double(medianStep) * timeBase.value }
  /// Whether whatever is seen takes decoding from the first frame on.
  var isOneGroup: Bool { keyFrames.allSatisfy { $0 == 0 } }
}
