extension OpenClip {
  /// Encodes a part of the picture as H.264, or HDR as HEVC with 10 bits, with every frame at its time, in the colours of
  /// the clip.
  ///
  /// Some frames are decoded to choose the part, then all of them to encode it.
  ///
  /// - Parameters:
  ///   - mostBytes: of the new file.
  ///   - progress: is told how many frames of how many are encoded.
  /// - Returns: the report, and the bytes of the file unless only a plan is asked for.
  /// - Throws: `not-copied` for a clip that cannot be cropped, `video-not-written`, or what decoding throws.
  package func derive(
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
    let isHDR = color.isHDR
    let matrix =
      read.facts.chroma == "rgb" ? (isHDR ? "bt2020nc" : "bt709") : read.facts.shownMatrix
    color.matrix = matrix
    var format = VideoEncoder.Format(
      size: plan.codedSize, timeBase: times.timeBase,
      rate: read.facts.frameRateRatio ?? Rational(30), color: color)
    if isHDR { (format.codec, format.bitDepth, format.light) = (.hevc, 10, read.light) }
    let recorder = try MovieRecorder(
      ImportPlan(
        ticks: zip(times.times, times.times.dropFirst()).map {
          max(1, $1.subtractingClamped($0))
        }, timeBase: times.timeBase),
      .planes(
        region: plan.region, size: plan.codedSize, matrix: matrix, bitDepth: format.bitDepth),
      format, copying: stream, mostBytes: mostBytes, progress: progress)
    return (plan.report, try recorder.record(self))
  }
}

/// Keeps frames of all over the clip, reduced.
///
/// Takes those that are decoded on the way to the last frame. Of groups of pictures that are not, it takes the first
/// frame and a later one, so that a long clip is not decoded twice.
private struct FocusSampler: FrameReducer {
  /// Enough to see what moves.
  private static let samples = 16
  /// How many frames after a key frame the later one is: half a second at 24 frames a second.
  private static let reach = 12

  let endCount = 1
  private(set) var frames: [Thumbnail] = []
  private var taken: Set<Int> = []
  private var wished: Set<Int>?
  private let isNeeded: Bool

  /// - Parameter isNeeded: whether there is a choice to make.
  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    if place.number == 0 { (frames, taken) = ([], []) }
    guard place.number == 0 || isNeeded && isSample(place) else { return }
    taken.insert(place.number)
    frames.append(try frame.thumbnail())
  }

  private func isSample(_ place: FramePlace) -> Bool {
    // Where every frame has to be decoded, the number of frames is not known.
    guard let count = place.count else { return place.number.isMultiple(of: 4) }
    return wished?.contains(place.number) ?? Self.samples(of: count).contains(place.number)
  }

  private static func samples(of count: Int) -> Set<Int> {
    Set((0...samples).map { $0 * (count - 1) / samples })
  }

  func glimpses(_ clock: ClipClock) -> Set<Int> {
    isNeeded ? Self.samples(of: clock.count) : []
  }

  mutating func wish(_ clock: ClipClock) throws(InspectionError) -> FrameWish {
    guard isNeeded, wished == nil else { return .nothing }
    let missing = Self.samples(of: clock.count).subtracting(taken)
    let near = missing.flatMap { sample in
      let key = clock.keyFrames.last { $0 <= sample } ?? 0
      return [key, min(sample, key + Self.reach)]
    }
    let wanted = Set(near).subtracting(taken)
    wished = wanted
    return wanted.isEmpty ? .nothing : .frames(wanted)
  }
}
