import ArtworkModel
import SystemPackage

/// The video in an open file, for ``Inspector``, ``LoopFinder`` and ``SeamDrawer``.
///
/// Noncopyable as the demuxer that it owns; `stream` is valid as long as it lives.
struct OpenClip: ~Copyable {
  let demuxer: Demuxer
  let stream: VideoStream
  let table: PacketTable
  let timeBase: Rational
  let limits: Limits

  init(
    _ input: InputFile, limits: Limits, formats: [String] = ContainerFormat.allowed
  ) throws(InspectionError) {
    let demuxer = try Demuxer.open(input, limits: limits, formats: formats)
    let stream = try demuxer.selectVideo()
    guard let timeBase = stream.timeBase else {
      throw InspectionError(.notAMovie, "the video stream has no time base")
    }
    let table = try PacketTable(scanning: demuxer, stream: stream)
    try limits.checkLength(table.timeSpan ?? 0, timeBase)
    self.demuxer = demuxer
    self.stream = stream
    self.table = table
    self.timeBase = timeBase
    self.limits = limits
  }

  /// All frames of a clip as times and in reduced form.
  struct Everything {
    var frames: ReducedClip
    /// What is measured of them.
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
    var format: DecodedFormat
    var damagedFrames: Int

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

  /// Decodes every frame.
  func readEverything() throws(InspectionError) -> Everything {
    var frames = ReducedClip(expectedCount: min(limits.frames, table.packets.count))
    var recorder = SeamRecorder()
    let reader = FrameReader<Bool>(endCount: 1) { frame, _, _ throws(InspectionError) in
      let thumbnail = try FramePicture.thumbnail(frame)
      frames.append(thumbnail)
      recorder.add(thumbnail)
      return true
    }
    let ends = try reader.read(
      demuxer: demuxer, stream: stream, table: table, everything: true)
    let timing = FrameTiming(
      timestamps: ends.timestamps, timeBase: timeBase, lastDuration: ends.lastDuration,
      declaredDuration: nil)
    // Damaged files hold times that run backwards: a frame is then shown for no time.
    var ticks = ends.timestamps
    for index in ticks.indices.dropFirst() { ticks[index] = max(ticks[index], ticks[index - 1]) }
    let last = ends.lastDuration > 0 ? ends.lastDuration : max(1, timing.medianStep)
    ticks.append((ticks.last ?? 0).addingClamped(last))
    try limits.checkLength((ticks.last ?? 0).subtractingClamped(ticks.first ?? 0), timeBase)
    let durations = zip(ticks, ticks.dropFirst()).map { start, end in
      timeBase.multiplied(by: Rational(end.subtractingClamped(start))) ?? .one
    }
    let lost = ends.errorCount + table.damagedCount + max(0, table.displayedCount - ends.count)
    return Everything(
      frames: frames, seamFrames: recorder.frames, timestamps: ends.timestamps,
      lastDuration: ends.lastDuration, timeBase: timeBase,
      times: ticks.map { Double($0) * timeBase.value }, durations: durations,
      rate: timing.rate, isVariableRate: timing.mode == .variable, format: ends.format,
      damagedFrames: lost)
  }
}

extension Limits {
  /// - Parameter ticks: from the first displayed frame to the end of the last, as their times say and
  ///   not the header: real ones declare 143,165 seconds for one.
  func checkLength(_ ticks: Int64, _ timeBase: Rational) throws(InspectionError) {
    let seconds = Double(ticks) * timeBase.value
    guard seconds > durationSeconds else { return }
    throw InspectionError(
      .tooLong,
      "the video lasts \(decimal(seconds, places: 1)) s "
        + "(limit \(decimal(durationSeconds, places: 1)) s)")
  }
}

extension InputFile {
  /// Runs `body` on the clip in this file; a failure to read wins over what follows from it.
  func withClip<Result>(
    limits: Limits, formats: [String] = ContainerFormat.allowed,
    _ body: (borrowing OpenClip) throws(InspectionError) -> Result
  ) throws(InspectionError) -> Result {
    try LogCapture.scope { () throws(InspectionError) in
      let result: Result
      do throws(InspectionError) {
        result = try body(try OpenClip(self, limits: limits, formats: formats))
      } catch {
        try checkReads()
        throw error
      }
      try checkReads()
      return result
    }
  }

  private func checkReads() throws(InspectionError) {
    if let failure = readFailure {
      throw InspectionError(
        .unreadable, "cannot read the file: \(failure.description.lowercased())")
    }
  }
}
