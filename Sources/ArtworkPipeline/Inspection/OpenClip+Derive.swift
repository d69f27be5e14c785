import ArtworkModel

extension OpenClip {
  /// Encodes a part of the picture as H.264, with every frame at its time, in the colours of the clip.
  ///
  /// Some frames are decoded to choose the part, then all of them to encode it.
  ///
  /// - Parameter mostBytes: of the new file.
  /// - Returns: the report, and the bytes of the file unless only a plan is asked for.
  /// - Throws: `not-copied` for a clip that cannot be cropped, `video-not-written`, or what decoding throws.
  func derive(
    _ request: DeriveRequest, mostBytes: Int
  ) throws(InspectionError) -> (report: DeriveReport, bytes: [UInt8]) {
    var sampler = FocusSampler(isNeeded: request.key != nil && request.focus == .auto)
    let read = try readFrames(everyFrame: false, into: &sampler)
    let plan = try CropPlan(
      read.facts, orientation: read.orientation, request, map: FocusMap(sampler.frames))
    if request.onlyPlans { return (plan.report, []) }
    let recorder = try CropRecorder(plan, read, copying: stream, mostBytes: mostBytes)
    _ = try FrameReader(endCount: 1).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: true,
      take: { frame, format, place throws(InspectionError) in
        try recorder.take(frame, format, place.number)
      })
    return (plan.report, try recorder.finish())
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

/// Encodes the part of each frame. A class, since what takes frames cannot change an encoder that it captures.
private final class CropRecorder {
  private let plan: CropPlan
  private let matrix: String
  private let durations: [Int64]
  private var movie: EncodedMovie?
  private var next = 0

  init(
    _ plan: CropPlan, _ read: ReadFrames, copying source: VideoStream, mostBytes: Int
  ) throws(InspectionError) {
    self.plan = plan
    let times = CopiedTimes.even(
      read.clock.timestamps, timeBase: read.clock.timeBase, lastDuration: read.clock.lastDuration)
    durations = zip(times.times, times.times.dropFirst()).map { max(1, $1.subtractingClamped($0)) }
    var color = read.facts.color
    matrix = read.facts.chroma == "rgb" ? "bt709" : read.facts.shownMatrix
    color.matrix = matrix
    movie = try EncodedMovie.open(
      VideoEncoder.Format(
        size: plan.codedSize, timeBase: times.timeBase,
        rate: read.facts.frameRateRatio ?? Rational(30), color: color),
      copying: source, atMost: mostBytes)
  }

  func take(
    _ frame: borrowing Frame, _ format: DecodedFormat, _ number: Int
  ) throws(InspectionError) {
    guard number == next, number < durations.count else {
      throw InspectionError(.decodeFailed, "frames come in another order than the container says")
    }
    next += 1
    let part = try FrameConverter.encodable(
      frame, matrix: format.shownMatrix, crop: plan.region, to: plan.codedSize, as: matrix)
    try movie?.append(part, duration: durations[number])
  }

  func finish() throws(InspectionError) -> [UInt8] {
    guard next == durations.count, let movie = movie.take() else {
      throw InspectionError(
        .decodeFailed, "\(next) of \(durations.count) frames were decoded")
    }
    return try movie.finish()
  }
}
