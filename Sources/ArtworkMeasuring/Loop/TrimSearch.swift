/// Finds the parts of a clip that loop. Pure: it sees reduced frames and their times only.
///
/// Compares all pairs of start and end at 16x16, and refines the best few hundred at 64x64. Likely loops come first, among
/// them those that move as the clip does, then those with the smallest ``LoopGuess/error`` plus weights. About 25 ns for
/// each pair of frames, on one thread.
package struct TrimSearch: Sendable {
  /// A loop of half the possible length has to fit better by half of this part of a step.
  static let lengthWeight = 0.3
  /// A cut without loss may fit worse by this part of a step.
  static let reencodeWeight = 0.1
  /// Neighbourhoods each way in which a clip is divided.
  private static let neighbourhoods = 48
  /// The number of pairs that are refined.
  private static let mostRefined = 400

  package let frames: ReducedClip
  package let times: [Double]
  package let starts: [Bool]
  package let ends: [Bool]
  package private(set) var request: TrimRequest
  /// The frames between the fades, if those are left out.
  package let lit: Range<Int>
  let scenes: SceneChanges
  /// Running sums of the steps before each frame.
  private let stepSums: [Double]

  /// - Parameters:
  ///   - frames: all displayed frames in presentation order.
  ///   - times: the start of each frame, and the end of the last one: one more than frames, ascending, in seconds.
  ///   - starts, ends: whether a part that is cut without decoding can start with frame number n, and can end before
  ///     it; as many as `times`. Empty if unknown.
  package init(
    frames: ReducedClip, times: [Double], starts: [Bool] = [], ends: [Bool] = [],
    request: TrimRequest = TrimRequest()
  ) {
    precondition(times.count == frames.count + 1, "times of all frames and of the end")
    precondition([0, times.count].contains(starts.count), "one for each time, or none")
    precondition(starts.count == ends.count, "both or none")
    self.frames = frames
    self.times = times
    self.starts = starts
    self.ends = ends
    self.request = request
    lit = request.cutsFades ? Self.lit(frames) : 0..<frames.count
    scenes = SceneChanges(frames, times: times)
    var sum = 0.0
    stepSums =
      [0]
      + (0..<max(0, frames.count - 1)).map { frame in
        sum += frames.distance(frame, frame + 1)
        return sum
      }
  }

  /// The outcome, except properties that only the file has.
  package struct Outcome: Sendable, Equatable {
    package var answer: LoopReport.Answer
    package var candidates: [TrimCandidate]
    package var whole: TrimCandidate?
    package var crossFade: CrossFade?
    package var drift: LightDrift?
    /// See ``LoopReport/lit`` and ``LoopReport/swing``.
    package var (lit, swing): (Range<Int>, Range<Int>)
  }

  /// - Parameters:
  ///   - judge: judges the seam of some of the frames as a separate clip; `nil` for fewer than two.
  ///   - judgeFade: judges the seam of a dissolve.
  ///   - judgeDrift: judges the seam of the clip without a drift.
  package func run(
    judging judge: (Range<Int>) -> SeamJudgement?,
    dissolve judgeFade: (CrossFade) -> SeamJudgement? = { _ in nil },
    drift judgeDrift: (LightDrift) -> SeamJudgement? = { _ in nil }
  ) -> Outcome {
    func judged(_ start: Int, _ end: Int) -> TrimCandidate? {
      judge(start..<end).map {
        TrimCandidate(
          startFrame: start, endFrame: end, startSeconds: times[start], endSeconds: times[end],
          motion: self.motion(start, end), isLossless: isLossless(start, end), seam: $0)
      }
    }
    var outcome = Outcome(answer: .tooShort, candidates: [], lit: lit, swing: lit)
    guard let whole = judged(0, frames.count) else { return outcome }
    outcome.whole = whole
    guard frames.count >= LoopReport.fewestFrames else { return outcome }
    if whole.seam.verdict == .static {
      outcome.answer = .static
      return outcome
    }
    let motion = ClipMotion(frameCount: frames.count) { frames.distance($0, $1) }
    if let round = round(motion, judged) {
      (outcome.answer, outcome.candidates) = (.trim, [round])
      return outcome
    }
    outcome.candidates = loops(motion, judged: judged)
    if whole.seam.verdict.loops, request.isBelow(whole.durationSeconds) {
      outcome.answer = .loops
      return outcome
    }
    outcome.swing = swing(motion)
    outcome.drift = drift(judgeDrift)
    let first = outcome.candidates.first
    outcome.answer = first?.seam.verdict.loops == true ? .trim : .none
    // A frame more or less does not count.
    let frame = possibleLength / Double(frames.count)
    let long = min(request.preferred ?? .infinity, request.leastShare * possibleLength) - frame
    if outcome.answer == .none || first?.hardlyMoves == true
      || (first?.durationSeconds ?? 0) < long
    {
      outcome.crossFade = CrossFadeSearch(search: self, motion: motion).run()
      if let fade = outcome.crossFade {
        outcome.crossFade?.loops = judgeFade(fade)?.verdict.loops ?? true
      }
    }
    return outcome
  }

  // MARK: - Ranking

  /// Seconds of the longest loop that could be.
  var possibleLength: Double {
    min(request.below, times[lit.upperBound] - times[lit.lowerBound])
  }

  /// Seconds from which on a loop is long enough.
  package var shortest: Double {
    max(min(request.shortest, possibleLength / 2), request.leastShare * possibleLength)
  }

  /// - Parameter area: in which it lies; `nil` for ``lit``.
  package func isAllowed(_ start: Int, _ end: Int, inside area: Range<Int>? = nil) -> Bool {
    let area = area ?? lit
    guard start >= area.lowerBound, end <= area.upperBound else { return false }
    let length = times[end] - times[start]
    return length >= shortest && request.isBelow(length) && (start > 0 || end < frames.count)
      && end - start >= LoopReport.fewestFrames / 2 && scenes.isSteady(start..<end)
  }

  package func isLossless(_ start: Int, _ end: Int) -> Bool {
    !starts.isEmpty && starts[start] && ends[end]
  }

  private func rank(_ prediction: LoopGuess, _ start: Int, _ end: Int) -> Double {
    let length = (times[end] - times[start]) / max(possibleLength, .leastNonzeroMagnitude)
    let tier: Double = prediction.isLikely ? 0 : 1000
    return tier + (motion(start, end) < TrimCandidate.leastMotion ? 500 : 0) + prediction.error
      + Self.lengthWeight * (1 - length)
      + (isLossless(start, end) ? 0 : Self.reencodeWeight)
  }

  /// See ``TrimCandidate/motion``.
  private func motion(_ start: Int, _ end: Int) -> Double {
    guard let all = stepSums.last, all > 0, end - start > 1 else { return 1 }
    let part = (stepSums[end - 1] - stepSums[start]) / Double(end - start - 1)
    return part / (all / Double(stepSums.count - 1))
  }

  private func prediction(_ start: Int, _ end: Int, _ motion: ClipMotion) -> LoopGuess {
    LoopGuess(start: start, end: end, count: frames.count, motion: motion) {
      frames.distance($0, $1)
    }
  }

  // MARK: - Search

  struct Pair: Hashable {
    var start: Int
    var end: Int

    var count: Int { end - start }
  }

  private struct Neighbourhood: Hashable {
    var start: Int
    var lag: Int
    /// Lossless cuts compete among themselves, or better ones nearby would hide them.
    var isLossless: Bool
  }

  /// The best pairs of all neighbourhoods, each the best nearby, the best first.
  func bestPairs(_ motion: ClipMotion) -> [Pair] {
    let kept = coarsePairs()
      // The same parts in every run, also if ranks tie.
      .sorted { ($0.rank, $0.pair.start, $0.pair.end) < ($1.rank, $1.pair.start, $1.pair.end) }
      .prefix(Self.mostRefined)
    var known: [Pair: Double] = [:]
    func rank(_ pair: Pair) -> Double {
      if let rank = known[pair] { return rank }
      let value = self.rank(prediction(pair.start, pair.end, motion), pair.start, pair.end)
      known[pair] = value
      return value
    }
    var best: Set<Pair> = []
    for (pair, _) in kept {
      var place = pair
      // A few frames: the blur of 16x16.
      for _ in 0..<8 {
        let around = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1)]
          .map { Pair(start: place.start + $0.0, end: place.end + $0.1) }
          .filter {
            $0.start >= 0 && $0.end <= frames.count && $0.start < $0.end
              && isAllowed($0.start, $0.end)
          }
        guard let next = around.min(by: { rank($0) < rank($1) }), rank(next) < rank(place) else {
          break
        }
        place = next
      }
      best.insert(place)
      if isLossless(pair.start, pair.end) { best.insert(pair) }
    }
    // Rounded, so that ties are ties: then the earlier one wins.
    func key(_ pair: Pair) -> (Double, Int, Int) {
      ((rank(pair) * 1e9).rounded(), pair.start, pair.end)
    }
    return best.sorted { key($0) < key($1) }
  }

  private func coarsePairs() -> [(pair: Pair, rank: Double)] {
    let count = frames.count
    let motion = ClipMotion(frameCount: count) { frames.coarseDistance($0, $1) }
    let side = max(1, count / Self.neighbourhoods)
    var best: [Neighbourhood: (pair: Pair, rank: Double)] = [:]
    var previous: [Float] = []
    var previousLag = -1
    for lag in 1..<count {
      let lengths = (0...count - lag).lazy.map { times[$0 + lag] - times[$0] }
      guard let longest = lengths.max(), longest >= shortest else { continue }
      if let least = lengths.min(), least >= request.below { break }
      // One lag less is the step across the seam.
      if previousLag != lag - 1 { previous = frames.coarseDiagonal(lag: lag - 1) }
      let diagonal = frames.coarseDiagonal(lag: lag)
      defer { (previous, previousLag) = (diagonal, lag) }
      for start in 0...count - lag where isAllowed(start, start + lag) {
        let end = start + lag
        let prediction = Self.prediction(start, end, diagonal, previous, motion) {
          frames.coarseDistance($0, $1)
        }
        let rank = rank(prediction, start, end)
        let place = Neighbourhood(
          start: start / side, lag: lag / side, isLossless: isLossless(start, end))
        if rank < best[place]?.rank ?? .infinity {
          best[place] = (Pair(start: start, end: end), rank)
        }
      }
    }
    return Array(best.values)
  }

  /// Predicts like ``LoopGuess/init(start:end:count:motion:distance:)``, from distances that are already measured.
  private static func prediction(
    _ start: Int, _ end: Int, _ diagonal: [Float], _ previous: [Float], _ motion: ClipMotion,
    _ distance: (Int, Int) -> Double
  ) -> LoopGuess {
    let reach = LoopGuess.reach
    func mean(_ range: Range<Int>) -> Float {
      guard range.count >= LoopGuess.fewest else { return .infinity }
      var sum: Float = 0
      for index in range { sum += diagonal[index] }
      return sum / Float(range.count)
    }
    let after = mean(start..<min(diagonal.count, start + reach))
    let before = mean(max(0, start - reach)..<start)
    guard min(after, before) < .infinity else {
      return LoopGuess(
        start: start, end: end, count: diagonal.count + end - start, motion: motion,
        distance: distance)
    }
    return LoopGuess(
      seamStep: Double(previous[start]), ownStep: motion.own(start, end),
      mismatch: Double(min(after, before)))
  }
}
