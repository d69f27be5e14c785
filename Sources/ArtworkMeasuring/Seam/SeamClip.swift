/// Frames that a measurement needs and that were not seen yet, by their number in presentation order.
package struct MissingFrames: Error, Equatable {
  package var numbers: Set<Int>
  /// Whether their pictures are compared, or only the stored numbers of every frame.
  package var needsPictures = true
}

/// The known frames of a clip: numbers for every decoded frame, and the reduced pictures of those near the seam and
/// of those that a measurement requested.
///
/// A class, so that motion vectors are kept while a measurement requests more frames. Not thread-safe.
package final class SeamClip {
  /// Pictures kept at each end: 12 drawings of up to four frames. 90 KB each.
  package static let kept = 48
  /// Frames whose detail is kept, 16 KB each: 34 s at 60 fps. In longer clips, nothing inside excuses a jump.
  static let mostDetailed = 2048

  /// Displayed frames, and the usual time between two of them in seconds. Known when the ends were seen.
  private(set) var count = 0
  private(set) var interval = 0.0
  /// Frames at the end that are left out, see ``withoutLast(_:)``.
  private(set) var leftOut = 0
  private(set) var clock: ClipClock? {
    didSet { packetSizes = clock.flatMap(PacketSizes.init) }
  }
  private(set) var packetSizes: PacketSizes?
  fileprivate private(set) var traces: [Int: SeamTrace] = [:]
  private var pictures: [Int: ComparedFrame] = [:]
  private var asked: Set<Int> = []
  /// Pictures that are released as others arrive.
  private var passing: [Int] = []
  /// Frames that were requested because the steps to them were unknown.
  private var askedSteps: Set<Int> = []
  private var flows: [[Int]: Flow] = [:]
  private var predictions: [Prediction: [Float]] = [:]
  private var knownRound: Int?

  package init() {}

  /// Adds a frame. Frames come in runs in presentation order; old pictures are released as new ones arrive.
  ///
  /// - Parameter number: of the frame in presentation order.
  package func add(_ thumbnail: Thumbnail, number: Int) {
    let frame = ComparedFrame(thumbnail)
    // A frame that comes again may come without the one before.
    if traces[number]?.busyStep == nil {
      traces[number] = SeamTrace(
        frame, after: pictures[number - 1], hasDetail: number < Self.mostDetailed)
    }
    if let next = pictures[number + 1], traces[number + 1]?.busyStep == nil {
      traces[number + 1] = SeamTrace(
        next, after: frame, hasDetail: number + 1 < Self.mostDetailed)
    }
    pictures[number] = frame
    if number >= Self.kept { passing.append(number) }
    // Frames that a decoder skips never arrive, so the frames to drop are not simply that many numbers back.
    for old in passing where old <= number - Self.kept && !asked.contains(old) {
      pictures[old] = nil
    }
    passing.removeAll { $0 <= number - Self.kept }
  }

  /// Sets the clock of the clip that the frames belong to.
  package func finish(_ clock: ClipClock) {
    (count, interval) = (clock.count, clock.interval)
    self.clock = clock
  }

  /// Keeps the pictures of these frames when they come.
  package func keep(_ numbers: Set<Int>) { asked.formUnion(numbers) }

  /// Some frames of this clip, all of which were decoded, as a separate clip.
  ///
  /// - Parameter clip: the pictures of all frames.
  package func part(_ range: Range<Int>, of clip: ReducedClip) -> SeamClip {
    let part = SeamClip()
    for number in range { part.traces[number - range.lowerBound] = traces[number] }
    for number in Set(range.prefix(Self.kept)).union(range.suffix(Self.kept)) {
      part.pictures[number - range.lowerBound] = ComparedFrame(clip.thumbnail(number))
    }
    (part.count, part.interval) = (range.count, interval)
    part.clock = clock.map { whole in
      ClipClock(
        timestamps: Array(whole.timestamps[range]), lastDuration: whole.lastDuration,
        timeBase: whole.timeBase, medianStep: whole.medianStep)
    }
    return part
  }

  /// Measures the same clip without its last frame.
  func withoutLast<Result>(
    _ measure: (SeamClip) throws(MissingFrames) -> Result
  ) throws(MissingFrames) -> Result {
    let known = (traces[count - 1], clock, knownRound)
    defer {
      (count, leftOut) = (count + 1, leftOut - 1)
      traces[count - 1] = known.0
      clock = known.1
      knownRound = known.2
    }
    (count, leftOut) = (count - 1, leftOut + 1)
    traces[count] = nil
    clock = clock?.withoutLast
    knownRound = nil
    return try measure(self)
  }

  /// Whether every frame was seen.
  package var isWhole: Bool { traces.count == count }

  /// The steps between neighbours that were seen, by block.
  package var blockSteps: [[Float]] {
    traces.keys.sorted().compactMap { traces[$0]?.blockSteps }
  }

  /// Whether the picture of a frame is available.
  package func hasPicture(_ number: Int) -> Bool { pictures[number] != nil }

  /// - Throws: ``MissingFrames`` with all of `numbers` that were not seen.
  package func require(_ numbers: some Sequence<Int>) throws(MissingFrames) {
    let missing = numbers.filter { pictures[$0] == nil }
    if !missing.isEmpty { throw MissingFrames(numbers: Set(missing)) }
  }

  /// How many frames to compare at each end: `most`, or all available ones of a clip that is not decoded again.
  package func window(from least: Int, to most: Int) -> Int {
    guard let clock, clock.isOneGroup else { return most }
    return (least...most).prefix { pictures[$0 - 1] != nil && pictures[count - $0] != nil }.last
      ?? least
  }

  func frame(_ number: Int) throws(MissingFrames) -> ComparedFrame {
    guard let frame = pictures[number] else { throw MissingFrames(numbers: [number]) }
    return frame
  }

  func trace(_ number: Int) throws(MissingFrames) -> SeamTrace {
    guard let trace = traces[number] else { throw MissingFrames(numbers: [number]) }
    return trace
  }

  /// The frame nearest to `number` of those that were seen.
  func nearestTrace(to number: Int, within reach: Int) -> SeamTrace? {
    for distance in 0...reach {
      for near in [number - distance, number + distance] {
        if let trace = traces[near] { return trace }
      }
    }
    return nil
  }

  /// The change from frame `one` to frame `other`, in the busiest blocks.
  package func step(_ one: Int, _ other: Int) throws(MissingFrames) -> Double {
    if other == one + 1, let step = traces[other]?.busyStep { return step }
    try require([one, other])
    return FrameChange.busy(try frame(one), try frame(other))
  }

  /// The change to frame `number` from the one before, in the busiest blocks, if it was seen.
  func measuredStep(to number: Int) -> Double? { traces[number]?.busyStep }

  /// A frame that another one predicts.
  private struct Prediction: Hashable {
    var current: Int
    var reference: Int
    var motion: [Int]
    var pace: Float
  }

  /// How badly frame `reference` predicts each block of frame `current`, with the motion to the first frame of
  /// `motion` from its second one; see ``Flow/errors(predicting:from:pace:)``. Cached, because a measurement that
  /// requests more frames starts over.
  func errors(
    of current: Int, from reference: Int, motion: (to: Int, from: Int), pace: Float = 1
  ) throws(MissingFrames) -> [Float] {
    let key = Prediction(
      current: current, reference: reference, motion: [motion.to, motion.from], pace: pace)
    if let known = predictions[key] { return known }
    let errors = try flow(of: motion.to, from: motion.from).errors(
      predicting: try frame(current).flow, from: try frame(reference).flow, pace: pace)
    predictions[key] = errors
    return errors
  }

  /// The positions of the blocks of frame `current` in frame `reference`.
  func flow(of current: Int, from reference: Int) throws(MissingFrames) -> Flow {
    if let known = flows[[current, reference]] { return known }
    let flow = Flow(of: try frame(current).flow, from: try frame(reference).flow)
    flows[[current, reference]] = flow
    return flow
  }
}

extension SeamClip {
  /// The most rounds that are looked for, and the fewest frames of one: fewer show too little of how they move.
  private static let (mostRounds, shortestRound) = (12, 12)
  /// Frames of two rounds are alike up to coding noise: this many code values in the busiest blocks or this share of the
  /// usual step, for nine of ten of them, and three times as much for all.
  private static let (noise, noiseShare) = (2.5, 0.5)

  /// The frames of one round: fewer than ``count`` in a clip that was seen whole and shows the same frames several times, as
  /// copies do that are made to reach a length. What happens in each round is no excuse for its own seam.
  var round: Int {
    guard isWhole else { return count }
    if let knownRound { return knownRound }
    let usual = (1..<count).compactMap(measuredStep).median ?? 0
    let limit = max(Self.noise, Self.noiseShare * usual)
    let lengths = (2...Self.mostRounds).reversed().lazy.filter { self.count.isMultiple(of: $0) }
      .map { self.count / $0 }.filter { $0 >= Self.shortestRound }
    let round = lengths.first { self.repeats(after: $0, within: limit) } ?? count
    knownRound = round
    return round
  }

  /// Takes all rounds for one.
  func ignoreRounds() { knownRound = count }

  private func repeats(after length: Int, within limit: Double) -> Bool {
    let most = (count - length) / 10
    var over = 0
    for number in length..<count {
      guard let one = traces[number - length], let other = traces[number] else { return false }
      let change = one.change(to: other)
      if change > limit { over += 1 }
      if change > 3 * limit || over > most { return false }
    }
    return true
  }

  /// - Parameter ends: frames at each end that do not stand for the inside.
  /// - Throws: ``MissingFrames`` until a sample of the frames was seen, or every frame if none stands for them.
  func requireInside(beyond ends: Int) throws(MissingFrames) {
    let inside = ends..<max(ends, count - ends)
    guard let sample = packetSizes?.sample(of: inside) else { return try requireWhole() }
    try requireSteps(sample.flatMap { $0.dropFirst() })
  }

  /// Whether all of these frames were seen.
  func hasSeen(_ numbers: some Sequence<Int>) -> Bool { numbers.allSatisfy { traces[$0] != nil } }

  /// - Throws: ``MissingFrames`` until every frame was seen.
  func requireWhole() throws(MissingFrames) { try requireSteps(Array(1..<count)) }

  /// - Throws: ``MissingFrames`` for the steps from the frame before to each of `numbers` that were not seen.
  func requireSteps(_ numbers: [Int]) throws(MissingFrames) {
    let unknown = Set(numbers.filter { traces[$0]?.busyStep == nil })
    guard !unknown.isEmpty else { return }
    // Consecutive neighbours leave their step; their pictures need not be kept.
    let needsPictures = !askedSteps.isDisjoint(with: unknown)
    askedSteps.formUnion(unknown)
    throw MissingFrames(
      numbers: unknown.union(unknown.map { $0 - 1 }), needsPictures: needsPictures)
  }
}
