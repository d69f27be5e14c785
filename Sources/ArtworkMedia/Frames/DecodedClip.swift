/// Every frame of a clip in reduced form, with times, for loop searches.
package struct DecodedClip {
  package var frames: ReducedClip
  /// The frames for measuring the seam.
  let seamClip: SeamClip
  /// Timestamp of each frame in units of `timeBase`, and the duration of the last one, zero if unknown.
  package var timestamps: [Int64]
  package var lastDuration: Int64
  package var timeBase: Rational
  /// Time of each frame in seconds, and the end of the last.
  package var times: [Double]
  /// The duration of each frame, in seconds.
  package var durations: [Rational]
  package var rate: Rational?
  package var isVariableRate: Bool
  package var orientation: Orientation
  package var facts: MediaFacts
  package var damagedFrames: Int

  /// Reads every frame of `source`.
  ///
  /// - Parameters:
  ///   - expectedCount: frames to come, so that memory is taken once.
  ///   - progress: called periodically with the number of frames read and the total.
  /// - Throws: ``InspectionError``; `too-long` for a clip beyond `limits`.
  package init(
    reading source: borrowing some FrameSource & ~Copyable, limits: Limits, expectedCount: Int = 0,
    progress: @escaping (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws(InspectionError) {
    var recorder = ClipRecorder(
      frames: ReducedClip(expectedCount: expectedCount),
      progress: { progress($0, expectedCount) })
    let read = try source.readFrames(everyFrame: true, into: &recorder)
    let clock = read.clock
    let timing = FrameTiming(
      timestamps: clock.timestamps, timeBase: clock.timeBase, lastDuration: clock.lastDuration,
      declaredDuration: nil)
    // Damaged files contain times that run backwards: such a frame gets no duration.
    var ticks = clock.timestamps
    for index in ticks.indices.dropFirst() { ticks[index] = max(ticks[index], ticks[index - 1]) }
    let last = clock.lastDuration > 0 ? clock.lastDuration : max(1, timing.medianStep)
    ticks.append((ticks.last ?? 0).addingClamped(last))
    try limits.checkLength(
      (ticks.last ?? 0).subtractingClamped(ticks.first ?? 0), clock.timeBase)
    frames = recorder.frames
    recorder.seam.finish(clock)
    seamClip = recorder.seam
    timestamps = clock.timestamps
    lastDuration = clock.lastDuration
    timeBase = clock.timeBase
    times = ticks.map { Double($0) * clock.timeBase.value }
    durations = zip(ticks, ticks.dropFirst()).map { start, end in
      clock.timeBase.multiplied(by: Rational(end.subtractingClamped(start))) ?? .one
    }
    rate = timing.rate
    isVariableRate = timing.mode == .variable
    orientation = read.orientation
    facts = read.facts
    damagedFrames = read.effort.errorCount + read.lostCount
  }

  /// The seam of the frames in `range` as a separate clip; `nil` for fewer than two.
  package func measurement(of range: Range<Int>) -> SeamMeasurement? {
    let clip = range.count == frames.count ? seamClip : seamClip.part(range, of: frames)
    do throws(MissingFrames) {
      return try SeamMeasurement(clip)
    } catch {
      preconditionFailure("frames \(error.numbers) of a clip that is known")
    }
  }

  /// The steps between neighbours, over the part that moves.
  package var steps: [Double] {
    let steps = seamClip.blockSteps
    return steps.map(PictureRegion(movingIn: steps).mean)
  }
}

/// Keeps every frame in reduced form.
private struct ClipRecorder: FrameReducer {
  let endCount = 1
  var frames: ReducedClip
  let progress: (Int) -> Void
  let seam = SeamClip()

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    let thumbnail = try frame.thumbnail()
    frames.append(thumbnail)
    seam.add(thumbnail, number: place.number)
    if frames.count.isMultiple(of: 8) { progress(frames.count) }
  }
}
