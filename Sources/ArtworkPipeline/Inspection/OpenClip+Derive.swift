import ArtworkModel

extension OpenClip {
  /// Encodes a part of the picture as H.264, with every frame at its time, in the colours of the clip.
  ///
  /// Some frames are decoded to choose the part, then all of them to encode it.
  ///
  /// - Parameters:
  ///   - mostBytes: of the new file.
  ///   - progress: is told how many frames of how many are encoded.
  /// - Returns: the report, and the bytes of the file unless only a plan is asked for.
  /// - Throws: `not-copied` for a clip that cannot be cropped, `video-not-written`, or what decoding throws.
  func derive(
    _ request: DeriveRequest, mostBytes: Int,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> (report: DeriveReport, bytes: [UInt8]) {
    var sampler = FocusSampler(isNeeded: request.key != nil && request.focus == .auto)
    let read = try readFrames(everyFrame: false, into: &sampler)
    let plan = try CropPlan(
      read.facts, orientation: read.orientation, request, map: FocusMap(sampler.frames))
    if request.onlyPlans { return (plan.report, []) }
    let times = CopiedTimes.even(
      read.clock.timestamps, timeBase: read.clock.timeBase, lastDuration: read.clock.lastDuration)
    var color = read.facts.color
    let matrix = read.facts.chroma == "rgb" ? "bt709" : read.facts.shownMatrix
    color.matrix = matrix
    let recorder = try MovieRecorder(
      ImportPlan(
        ticks: zip(times.times, times.times.dropFirst()).map {
          max(1, $1.subtractingClamped($0))
        }, timeBase: times.timeBase),
      .planes(region: plan.region, size: plan.codedSize, matrix: matrix),
      VideoEncoder.Format(
        size: plan.codedSize, timeBase: times.timeBase,
        rate: read.facts.frameRateRatio ?? Rational(30), color: color),
      copying: stream, mostBytes: mostBytes, progress: progress)
    return (plan.report, try recorder.record(self))
  }
}

/// Keeps frames of all over the clip, reduced.
private struct FocusSampler: FrameReducer {
  /// Enough to see what moves.
  private static let samples = 16

  let endCount = 1
  private(set) var frames: [Thumbnail] = []
  private var isWished: Bool

  /// - Parameter isNeeded: whether there is a choice to make.
  init(isNeeded: Bool) { isWished = !isNeeded }

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    if place.number == 0 { frames = [] }
    // Where every frame has to be decoded, fewer will do.
    guard place.count != nil || place.number.isMultiple(of: 4) else { return }
    frames.append(try frame.thumbnail())
  }

  mutating func wish(_ clock: ClipClock) throws(InspectionError) -> FrameWish {
    if isWished { return .nothing }
    isWished = true
    let inner = Set((1..<Self.samples).map { $0 * (clock.count - 1) / Self.samples })
      .subtracting([0, clock.count - 1])
    return inner.isEmpty ? .nothing : .frames(inner)
  }
}
