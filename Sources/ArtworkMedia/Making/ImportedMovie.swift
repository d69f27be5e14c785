/// A video that was made of an animation.
public struct ImportedMovie: Sendable {
  public var report: ImportReport
  /// The bytes of an MP4 or QuickTime file.
  public var bytes: [UInt8]

  /// A worker holds the file in memory: an eighth of what it has (``Limits/memoryBytes``), because the file grows by
  /// doubling and is copied once.
  package static let mostBytes = 128 << 20

  package init(
    report: ImportReport, bytes: [UInt8]
  ) {
    self.report = report
    self.bytes = bytes
  }
}

extension ImportRequest {
  /// Makes the video of the animation or video in an open file.
  package func make(
    from input: InputFile, limits: Limits,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    if let pictures = try PictureFile.open(
      input, limits: limits, edits: animation, drawnSize: drawnSize(of:))
    {
      return try LogCapture.scope { () throws(InspectionError) in
        try record(
          pictures, pictures.durations, shortDelays: pictures.shortDelays, limits, progress)
      }
    }
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      let short = ShortDelays.count(in: input, format: clip.demuxer.formatName)
      var ends = EndReducer()
      let clock = try clip.readFrames(everyFrame: false, into: &ends).clock
      return try record(clip, clock.durations, shortDelays: short, limits, progress)
    }
  }

  private func record(
    _ source: borrowing some FrameSource & ~Copyable, _ durations: [Rational],
    shortDelays: Int, _ limits: Limits,
    _ progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    let plan = try ImportPlan(durations, self, limits: limits)
    let recorder = try MovieRecorder(
      plan, .picture(size: size, prepare: prepared),
      VideoEncoder.Format(
        codec: codec, size: size, timeBase: plan.timeBase, rate: plan.rate),
      container: container, mostBytes: ImportedMovie.mostBytes, progress: progress)
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
