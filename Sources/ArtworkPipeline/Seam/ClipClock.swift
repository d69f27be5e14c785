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
  /// How much data each frame takes in bytes, which tells where the picture changes most; empty where unknown.
  var sizes: [Int] = []

  /// Displayed frames.
  var count: Int { timestamps.count }
  /// The usual time between two frames in seconds.
  var interval: Double { Double(medianStep) * timeBase.value }
}

extension ClipClock {
  /// Four frames at four places inside `range`.
  func evenWindows(in range: Range<Int>) -> [Range<Int>] {
    (1...4).map { $0 * count / 5 }.map { $0..<$0 + 4 }
      .filter { range.lowerBound <= $0.lowerBound && $0.upperBound <= range.upperBound }
  }

  /// The frames around the largest changes inside `range`, by the data that they take: two before, one after. Key frames
  /// are large whatever changes.
  func busyWindows(in range: Range<Int>) -> [Range<Int>] {
    guard sizes.count == count else { return [] }
    let keys = Set(keyFrames)
    let largest = range.filter { !keys.contains($0) }.sorted { sizes[$0] > sizes[$1] }.prefix(2)
    return largest.map { ($0 - 2..<$0 + 2).clamped(to: range) }
  }
}
