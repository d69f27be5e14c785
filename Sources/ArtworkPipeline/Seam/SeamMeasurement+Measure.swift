import ArtworkModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension SeamMeasurement {
  /// Steps and frames that are listed one by one at each end.
  private static let listed = 24
  /// Pictures compared at each end when every frame was seen.
  private static let pictures = 16

  /// Measures the seam of a clip; `nil` for fewer than two frames.
  ///
  /// Costs 2 ms for three frames at each end, and up to 20 ms for a whole clip of a minute.
  ///
  /// - Parameters:
  ///   - timestamps: of all displayed frames.
  ///   - lastDuration: of the last frame in the same unit, zero where unknown.
  ///   - medianStep: the clip's usual step, in the unit of `timestamps`.
  init?(
    _ frames: SeamFrames, timestamps: [Int64], lastDuration: Int64, medianStep: Int64
  ) {
    guard let first = frames.head.first, let last = frames.tail.last, frames.head.count > 1,
      frames.tail.count > 1
    else { return nil }
    func lengths(_ times: some Collection<Int64>) -> [Double] {
      zip(times, times.dropFirst()).map {
        Double($1.subtractingClamped($0)) / Double(max(1, medianStep))
      }
    }
    let headLengths = lengths(timestamps.prefix(frames.headSteps.count + 1))
    let tailLengths = lengths(timestamps.suffix(frames.tailSteps.count + 1))
    let seamLength =
      lastDuration > 0 && medianStep > 0 ? Double(lastDuration) / Double(medianStep) : 1
    /// A long pause does not pass for fast motion.
    func paced(_ steps: [Double], _ lengths: [Double]) -> [Double] {
      steps.indices.map { steps[$0] / max(1, $0 < lengths.count ? lengths[$0] : 1) }
    }
    let region = PictureRegion(movingIn: frames.insideSteps)
    func distance(_ a: Thumbnail, _ b: Thumbnail) -> Double {
      region.mean(FrameStep.blockSteps(a, b))
    }
    let headSteps = frames.headSteps.map(region.mean)
    let tailSteps = frames.isWhole ? headSteps : frames.tailSteps.map(region.mean)
    let headPace = paced(headSteps, headLengths)
    let tailPace = frames.isWhole ? headPace : paced(tailSteps, tailLengths)
    let seam = distance(last, first)
    let still = StillFrames(head: headPace, tail: tailPace, isWhole: frames.isWhole)
    let near = SeamPictures(
      frames, region: region, headSteps: headSteps, tailSteps: tailSteps, still: still,
      seamStep: seam, limit: Self.pictures, headLengths: headLengths, tailLengths: tailLengths,
      seamLength: seamLength)

    let (starts, ends) = near.nearest(Timeline.depth)
    func table(_ a: [Thumbnail], _ b: [Thumbnail]) -> [[Double]] {
      a.map { one in b.map { distance(one, $0) } }
    }
    let (among, amongEnds, across) = (
      table(starts, starts), table(ends, ends), table(ends, starts)
    )
    let contrasts = frames.headTraces.map(\.contrast)
    let endContrasts = frames.tailTraces.map(\.contrast)
    let pace = still.pace(
      seamStep: seam, largestDifference: (among + amongEnds + across).joined().max() ?? 0,
      farthest: frames.isWhole ? frames.excursions.map(region.mean).max() : nil,
      overFirst: across[0].dropFirst().first ?? 0, overLast: across.dropFirst().first?[0] ?? 0,
      all: frames.isWhole ? headPace : headPace + tailPace)
    let usualContrast =
      frames.isWhole
      ? contrasts.quantile(0.8) ?? 0 : (contrasts + endContrasts).max() ?? 0
    let seen = frames.isWhole ? contrasts : contrasts + endContrasts
    let level = seen.count { abs($0 / max(1, usualContrast) - 1) < 0.08 }
    self.init(
      scope: frames.isWhole ? .everyFrame : .ends, window: near.head.count,
      movingShare: Double(region.blocks.count) / Double(PictureRegion.blockCount),
      seamStep: seam,
      headSteps: Array(headSteps.prefix(Self.listed)),
      tailSteps: tailSteps.suffix(Self.listed),
      headStepLengths: Array(headLengths.prefix(Self.listed)),
      tailStepLengths: tailLengths.suffix(Self.listed),
      headContrast: Array(contrasts.prefix(Self.listed)),
      tailContrast: endContrasts.suffix(Self.listed),
      headLuma: frames.headTraces.prefix(Self.listed).map(\.luma),
      tailLuma: frames.tailTraces.suffix(Self.listed).map(\.luma),
      pace: pace,
      holds: still.measured,
      contrast: Contrast(
        usual: usualContrast,
        plateauShare: Double(level) / Double(max(1, seen.count))),
      prediction: Prediction(near),
      timeline: Timeline(head: among, tail: amongEnds, across: across),
      levels: Levels(near), sharpness: Sharpness(frames))
  }
}

extension SeamMeasurement.Sharpness {
  init(_ frames: SeamFrames) {
    // Below 0.05 code values a frame is flat.
    func rise(_ a: SeamFrames.Trace, _ b: SeamFrames.Trace) -> Double {
      log(max(0.05, b.sharpness) / max(0.05, a.sharpness))
    }
    let (head, tail) = (frames.headTraces, frames.tailTraces)
    let inside = (frames.isWhole ? [head] : [head, tail]).flatMap {
      zip($0, $0.dropFirst()).map(rise)
    }
    guard let first = head.first, let last = tail.last else {
      self.init(seamRise: 0, largestRise: 0, seamGain: 0)
      return
    }
    self.init(
      seamRise: rise(last, first), largestRise: max(0, inside.max() ?? 0),
      seamGain: first.sharpness - last.sharpness)
  }
}

extension SeamPictures {
  /// Chooses up to `limit` frames of each end; of a clip drawn on twos or threes one for each drawing.
  init(
    _ frames: SeamFrames, region: PictureRegion, headSteps: [Double], tailSteps: [Double],
    still: StillFrames, seamStep: Double, limit: Int, headLengths: [Double], tailLengths: [Double],
    seamLength: Double
  ) {
    var head = Array(frames.head.indices)
    var tail = Array(frames.tail.indices)
    if still.areRegular {
      head = still.distinct(Array(headSteps.prefix(frames.head.count - 1)))
      tail = still.distinct(tailSteps.suffix(frames.tail.count - 1))
      // The seam may part the frames of one drawing.
      if head.count > 1, seamStep < still.stillStep { head.removeFirst() }
    }
    head = Array(head.prefix(limit))
    tail = tail.suffix(limit)
    /// From each chosen frame to the next. Drawings count as evenly paced.
    func lengths(_ chosen: [Int], _ lengths: [Double]) -> [Double] {
      zip(chosen, chosen.dropFirst()).map { start, _ in
        still.areRegular || start >= lengths.count ? 1 : max(0.01, lengths[start])
      }
    }
    self.init(
      head: head.map { frames.head[$0] }, tail: tail.map { frames.tail[$0] },
      headLengths: lengths(head, headLengths),
      tailLengths: lengths(tail, Array(tailLengths.suffix(frames.tail.count - 1))),
      seamLength: still.areRegular ? 1 : max(0.01, seamLength), region: region)
  }
}
