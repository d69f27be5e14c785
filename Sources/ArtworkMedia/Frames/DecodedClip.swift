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

  /// The predicted seam of a dissolve.
  package func measurement(of fade: CrossFade) -> SeamMeasurement? {
    measurement(of: fade.startFrame..<fade.endFrame) { number in
      let frame = frames.thumbnail(number)
      let place = number - (fade.endFrame - fade.fadeFrames)
      if place < 0 { return frame }
      return frame.mixed(
        with: frames.thumbnail(fade.startFrame - fade.fadeFrames + place),
        share: Float(CrossFade.share(of: place, in: fade.fadeFrames)))
    }
  }

  /// The predicted seam without a drift.
  package func measurement(of drift: LightDrift) -> SeamMeasurement? {
    measurement(of: drift.frames) { frames.thumbnail($0).levelled(by: drift.map(at: $0)) }
  }

  private func measurement(
    of numbers: Range<Int>, _ changed: (Int) -> Thumbnail
  ) -> SeamMeasurement? {
    let clip = SeamClip()
    for number in numbers {
      var frame = changed(number)
      // Whether detail pops is not predicted.
      frame.sharpness = 1
      clip.add(frame, number: number - numbers.lowerBound)
    }
    let times = Array(timestamps[numbers])
    let steps = zip(times, times.dropFirst()).map { $1.subtractingClamped($0) }.sorted()
    clip.finish(
      ClipClock(
        timestamps: times, lastDuration: lastDuration, timeBase: timeBase,
        medianStep: max(1, steps.isEmpty ? 1 : steps[steps.count / 2])))
    return try? SeamMeasurement(clip)
  }

  /// How alike each frame and a cover are, from about 0 to 1.
  ///
  /// - Parameter cover: `nil`, or one beside a turned picture, for the first frame.
  package func likeness(to cover: StillPicture?) -> [Float] {
    let cover = orientation == .upright ? cover : nil
    let signature =
      cover.map { PictureSignature(grey: $0.signature) } ?? frames.signature(0)
    return (0..<frames.count).map { number in
      Float(
        PictureLikeness.of(
          signature, aspect: cover?.aspect ?? facts.displayAspect, frames.signature(number),
          aspect: facts.displayAspect))
    }
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
