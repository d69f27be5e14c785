/// Which loops are different ones, and which of them are good.
extension TrimSearch {
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
