public import ArtworkModel

extension Inspector {
  public func importMovie(
    _ candidate: Candidate, _ request: ImportRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try importMovie(input, request, progress: progress)
    }
  }

  /// The same for an open file. It does not notice whether the file changes meanwhile.
  func importMovie(
    _ input: InputFile, _ request: ImportRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    if let pictures = try PictureFile.open(
      input, limits: limits, edits: request.animation, drawnSize: request.drawnSize(of:))
    {
      return try LogCapture.scope { () throws(InspectionError) in
        try record(
          pictures, pictures.durations, shortDelays: pictures.shortDelays, request, progress)
      }
    }
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      let short = ShortDelays.count(in: input, format: clip.demuxer.formatName)
      var ends = EndReducer()
      let clock = try clip.readFrames(everyFrame: false, into: &ends).clock
      return try record(clip, clock.durations, shortDelays: short, request, progress)
    }
  }

  private func record(
    _ source: borrowing some FrameSource & ~Copyable, _ durations: [Rational],
    shortDelays: Int, _ request: ImportRequest,
    _ progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    let plan = try ImportPlan(durations, request, limits: limits)
    let recorder = try MovieRecorder(
      plan, .picture(size: request.size, prepare: request.prepared),
      VideoEncoder.Format(
        codec: request.codec, size: request.size, timeBase: plan.timeBase, rate: plan.rate),
      container: request.container, mostBytes: ImportedMovie.mostBytes, progress: progress)
    let bytes = try recorder.record(source)
    return ImportedMovie(
      report: ImportReport(
        sourceFrames: plan.frames.count,
        sourceSeconds: durations[plan.frames].reduce(0) { $0 + $1.value },
        frameCount: plan.shots.count, durationSeconds: plan.durationSeconds,
        loweredRate: plan.loweredRate?.value, isFlattened: recorder.isTransparent,
        raisedDelays: shortDelays),
      bytes: bytes)
  }
}

extension ClipClock {
  /// How long each frame is shown: exact for a constant rate, else by its timestamps.
  var durations: [Rational] {
    let timing = FrameTiming(
      timestamps: timestamps, timeBase: timeBase, lastDuration: lastDuration,
      declaredDuration: nil)
    if timing.mode == .constant, let rate = timing.rate {
      let step = unrounded(rate, timing).inverse ?? .one
      return [Rational](repeating: step, count: count)
    }
    let last = lastDuration > 0 ? lastDuration : max(1, timing.medianStep)
    let steps = zip(timestamps, timestamps.dropFirst()).map { $1.subtractingClamped($0) } + [last]
    // Damaged files hold times that run backwards: a frame is then shown for a tick.
    return steps.map { timeBase.multiplied(by: Rational(max(1, $0))) ?? .one }
  }

  /// The rate that a step was rounded from: libavformat rounds each delay of an APNG to a 100,000th of a second, so that
  /// 12 frames a second become 12.0005. A coarser clock, as that of GIF, says what it means.
  private func unrounded(_ rate: Rational, _ timing: FrameTiming) -> Rational {
    let finest: Int64 = 1000
    guard timing.medianStep >= finest else { return rate }
    return FrameTiming.standardRates.first { standard in
      abs(1 / (standard.value * timeBase.value) - Double(timing.medianStep)) < 0.5
    } ?? rate
  }
}

/// Wants nothing but the times.
struct EndReducer: FrameReducer {
  let endCount = 1

  func reduce(_ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace) {}
}
