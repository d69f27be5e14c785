import ArtworkModel

/// Every frame of a clip in reduced form, with times: what loops are searched in.
struct DecodedClip {
  var frames: ReducedClip
  /// What the seam is measured by.
  var seamFrames: SeamFrames
  /// Of each frame in units of `timeBase`, and how long the last one lasts, zero where unknown.
  var timestamps: [Int64]
  var lastDuration: Int64
  var timeBase: Rational
  /// Of each frame in seconds, and of the end of the last.
  var times: [Double]
  /// How long each frame is shown, in seconds.
  var durations: [Rational]
  var rate: Rational?
  var isVariableRate: Bool
  var orientation: Orientation
  var facts: MediaFacts
  var damagedFrames: Int

  /// Reads every frame of `source`.
  ///
  /// - Parameter expectedCount: frames to come, so that memory is taken once.
  /// - Throws: ``InspectionError``; `too-long` for a clip beyond `limits`.
  init(
    reading source: borrowing some FrameSource & ~Copyable, limits: Limits, expectedCount: Int = 0
  ) throws(InspectionError) {
    var recorder = ClipRecorder(frames: ReducedClip(expectedCount: expectedCount))
    let read = try source.readFrames(endCount: 1, everyFrame: true, into: &recorder)
    let timing = FrameTiming(
      timestamps: read.timestamps, timeBase: read.timeBase, lastDuration: read.lastDuration,
      declaredDuration: nil)
    // Damaged files hold times that run backwards: a frame is then shown for no time.
    var ticks = read.timestamps
    for index in ticks.indices.dropFirst() { ticks[index] = max(ticks[index], ticks[index - 1]) }
    let last = read.lastDuration > 0 ? read.lastDuration : max(1, timing.medianStep)
    ticks.append((ticks.last ?? 0).addingClamped(last))
    try limits.checkLength(
      (ticks.last ?? 0).subtractingClamped(ticks.first ?? 0), read.timeBase)
    frames = recorder.frames
    seamFrames = recorder.seam.frames
    timestamps = read.timestamps
    lastDuration = read.lastDuration
    timeBase = read.timeBase
    times = ticks.map { Double($0) * read.timeBase.value }
    durations = zip(ticks, ticks.dropFirst()).map { start, end in
      read.timeBase.multiplied(by: Rational(end.subtractingClamped(start))) ?? .one
    }
    rate = timing.rate
    isVariableRate = timing.mode == .variable
    orientation = read.orientation
    facts = read.facts
    damagedFrames = read.effort.errorCount + read.lostCount
  }

  /// The seam of the frames in `range` as a clip of their own; `nil` for fewer than two.
  func measurement(of range: Range<Int>) -> SeamMeasurement? {
    let isWhole = range.count == frames.count
    let times = Array(timestamps[range])
    let end = range.upperBound
    let last =
      end < frames.count && !range.isEmpty
      ? timestamps[end].subtractingClamped(timestamps[end - 1]) : lastDuration
    let timing = FrameTiming(
      timestamps: times, timeBase: timeBase, lastDuration: last, declaredDuration: nil)
    return SeamMeasurement(
      isWhole ? seamFrames : seamFrames.part(range, of: frames), timestamps: times,
      lastDuration: last, medianStep: timing.medianStep)
  }
}

/// Keeps every frame in reduced form.
private struct ClipRecorder: FrameReducer {
  var frames: ReducedClip
  var seam = SeamRecorder()

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, isFirst: Bool
  ) throws(InspectionError) {
    let thumbnail = try frame.thumbnail()
    frames.append(thumbnail)
    seam.add(thumbnail)
  }
}
