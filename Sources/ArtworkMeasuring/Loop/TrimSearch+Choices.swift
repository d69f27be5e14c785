/// Which loops are different ones, and which of them are good.
extension TrimSearch {
  /// A fade ends where the contrast and the light reach this share of those inside, within this share of the clip, and
  /// rise by less than this from one frame to the next.
  private static let (fullLight, longestFade, rising) = (0.9, 0.4, 0.01)
  /// It begins below this share, a little above that of a dip; see ``SeamMeasurement/dip``.
  private static let dimmedLight = 0.75

  /// The loops of the preferred length if there are any, or else the long enough ones, or else shorter ones.
  func loops(
    _ motion: ClipMotion, judged: (Int, Int) -> TrimCandidate?
  ) -> [TrimCandidate] {
    func loop(_ found: [TrimCandidate]) -> Bool { found.first?.seam.verdict.loops ?? false }
    if let seconds = request.preferred {
      let half = possibleLength / Double(max(1, frames.count)) / 2
      let found = searched(motion, judged) { request in
        request.below = seconds + half
        request.leastShare = max(0, (seconds - half) / (seconds + half))
      }
      if loop(found) { return found }
    }
    let found = best(of: bestPairs(motion), motion, judged: judged)
    // Fewer frames are lost at the ends than elsewhere.
    let whole = request.leastShare > 0 ? trimmed(judged) : []
    if !whole.isEmpty { return Array((whole + (loop(found) ? found : [])).prefix(request.count)) }
    guard !loop(found), let shortest = request.orShorter else { return found }
    let shorter = searched(motion, judged) { ($0.leastShare, $0.shortest) = (0, shortest) }
    return loop(shorter) ? shorter : found
  }

  /// One round of a clip that is nothing but rounds, so that all of it is kept; `nil` for any other clip.
  func round(_ motion: ClipMotion, _ judged: (Int, Int) -> TrimCandidate?) -> TrimCandidate? {
    guard let shortest = request.orShorter, (request.preferred ?? .infinity) >= request.below else {
      return nil
    }
    let start = lit.lowerBound
    var farthest = 0.0
    for end in lit.dropFirst() where 2 * (end - start) <= lit.count {
      let lag = end - start
      let change = frames.distance(start, end)
      defer { farthest = max(farthest, change) }
      guard times[end] - times[start] >= shortest, request.isBelow(times[end] - times[start]) else {
        continue
      }
      // All over the clip, and something else was seen between.
      let places = (0..<Self.samples).map {
        start + (lit.count - lag - 1) * $0 / (Self.samples - 1)
      }
      let repeats = places.allSatisfy { place in
        let own = max(Self.samePicture, motion.own(place, place + lag))
        return frames.distance(place, place + lag) <= own && farthest > Self.otherPicture * own
      }
      guard repeats, frames.distance(start, end + 1) >= change else { continue }
      if let round = judged(start, end), round.seam.verdict.loops { return round }
    }
    return nil
  }

  /// Places that are compared, the most code values between pictures that are the same, and the multiple of that or of the
  /// clip's own steps from which on they are others.
  private static let (samples, samePicture, otherPicture) = (32, 1.0, 3.0)

  private func searched(
    _ motion: ClipMotion, _ judged: (Int, Int) -> TrimCandidate?,
    changing change: (inout TrimRequest) -> Void
  ) -> [TrimCandidate] {
    var request = request
    change(&request)
    let search = TrimSearch(
      frames: frames, times: times, starts: starts, ends: ends, request: request)
    return search.best(of: search.bestPairs(motion), motion, judged: judged)
  }

  /// The clip without up to three odd frames at its ends, if it loops then: those that differ from all others, as generators
  /// leave them. Or with up to six frames more beside a fade, whose end is not certain.
  private func trimmed(_ judged: (Int, Int) -> TrimCandidate?) -> [TrimCandidate] {
    for dropped in Array(0...Self.mostOdd) + (1...2 * Self.mostOdd).map({ -$0 }) {
      let area = dropped < 0 ? 0..<frames.count : lit
      for part in 0...abs(dropped) {
        let head = part * dropped.signum()
        let (start, end) = (lit.lowerBound + head, lit.upperBound - dropped + head)
        if isAllowed(start, end, inside: area), let part = judged(start, end),
          part.seam.verdict.loops
        {
          return [part]
        }
      }
    }
    return []
  }

  /// The clip, without up to one odd frame at its end or its start, and a drift without which it is predicted to loop.
  func drift(_ judged: (LightDrift) -> SeamJudgement?) -> LightDrift? {
    for (head, tail) in [(0, 0), (0, 1), (1, 0)] {
      let part = lit.lowerBound + head..<lit.upperBound - tail
      guard request.isBelow(times[part.upperBound] - times[part.lowerBound]),
        scenes.isSteady(part), let drift = LightDrift(part, of: frames)
      else { continue }
      if judged(drift)?.verdict.loops == true { return drift }
    }
    return nil
  }

  /// The frames of a loop that plays forward and backward: of one scene, without odd ones at its ends.
  func swing(_ motion: ClipMotion) -> Range<Int> {
    let scene = scenes.longestScene(in: lit)
    let steps = motion.steps[scene.lowerBound..<max(scene.lowerBound, scene.upperBound - 1)]
    let usual = steps.sorted()
    guard scene.count > 4 * Self.mostOdd else { return scene }
    let most = Self.oddStep * max(LoopGuess.noiseFloor, usual[usual.count / 2])
    /// The frames before the last large step of a few.
    func odd(_ steps: some Collection<Double>) -> Int {
      steps.enumerated().reduce(0) { $1.element > most ? $1.offset + 1 : $0 }
    }
    return scene.lowerBound + odd(steps.prefix(Self.mostOdd))..<scene.upperBound
      - odd(steps.reversed().prefix(Self.mostOdd))
  }

  /// Odd frames at the ends that are left out, and their steps as multiples of the usual one.
  private static let (mostOdd, oddStep) = (3, 4.0)

  /// The frames between a fade in at the start and a fade out at the end.
  static func lit(_ frames: ReducedClip) -> Range<Int> {
    let light = (0..<frames.count).map { frames.light($0) }
    let black = 16.0
    /// The number of dimmed frames at the start of a series.
    func dimmed(_ values: [Double]) -> Int {
      let most = wholeNumber((Self.longestFade * Double(values.count)).rounded()) ?? 0
      let inside = values[(values.count / 5)..<max(values.count / 5 + 1, values.count / 2)].sorted()
      let usual = inside[inside.count / 2]
      guard values[0] < Self.dimmedLight * usual else { return 0 }
      let full = Self.fullLight * usual
      var count = values.prefix(most).prefix { $0 < full }.count
      while count > 0, count < most, values[count + 1] > (1 + Self.rising) * values[count] {
        count += 1
      }
      return count
    }
    guard frames.count > LoopReport.fewestFrames else { return 0..<frames.count }
    let series = [light.map(\.contrast), light.map { max(0, $0.luma - black) }]
    let start = series.map { dimmed($0) }.max() ?? 0
    let end = frames.count - (series.map { dimmed($0.reversed()) }.max() ?? 0)
    return end - start > LoopReport.fewestFrames ? start..<end : 0..<frames.count
  }

  /// Judges pairs that are neither adjacent to an earlier one nor the same as a loop that was found, until enough of
  /// them loop. Pairs that do not loop are kept only if none does.
  func best(
    of sorted: [Pair], _ motion: ClipMotion, judged: (Int, Int) -> TrimCandidate?
  ) -> [TrimCandidate] {
    // A quarter of a second, or three frames.
    let gap = max(3, frames.count / max(1, wholeNumber((possibleLength * 4).rounded()) ?? 1))
    var tried: [Pair] = []
    var good: [TrimCandidate] = []
    var bad: [TrimCandidate] = []
    for pair in sorted
    where tried.count < TrimRequest.mostCandidates && good.count < request.count {
      func isNear(_ other: Pair) -> Bool {
        abs(pair.start - other.start) <= gap && abs(pair.end - other.end) <= gap
      }
      func isSame(_ other: TrimCandidate) -> Bool { self.isSame(other, pair, gap: gap, motion) }
      if tried.contains(where: isNear) || good.contains(where: isSame) { continue }
      tried.append(pair)
      guard let candidate = judged(pair.start, pair.end) else { continue }
      if candidate.seam.verdict.loops {
        good.append(candidate)
      } else if !bad.contains(where: isSame) {
        bad.append(candidate)
      }
    }
    return good.isEmpty ? Array(bad.prefix(request.count)) : good
  }

  private func isSame(
    _ candidate: TrimCandidate, _ other: Pair, gap: Int, _ motion: ClipMotion
  ) -> Bool {
    let one = Pair(start: candidate.startFrame, end: candidate.endFrame)
    guard abs(one.count - other.count) <= gap else { return false }
    // The same length from another frame on is the same loop if the clip repeats all the way from one start to the
    // other.
    let (from, to) = (min(one.start, other.start), max(one.start, other.start))
    let lag = one.count
    let samples = 8
    let allowed = [one, other].reduce(LoopGuess.noiseFloor) {
      max($0, motion.own($1.start, $1.end))
    }
    return (0...samples).allSatisfy { sample in
      let place = from + (to - from) * sample / samples
      return place + lag >= frames.count || frames.distance(place, place + lag) <= allowed
    }
  }
}
