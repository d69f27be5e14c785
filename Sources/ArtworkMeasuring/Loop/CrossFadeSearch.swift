/// Chooses a dissolve if no part of a clip loops.
struct CrossFadeSearch {
  let search: TrimSearch
  let motion: ClipMotion

  /// Seconds of a dissolve that hides a seam and is over before it bores, and of one between textures, where nothing is seen
  /// twice.
  private static let (usualLength, softLengths) = (0.5, [1.5, 1.0])
  /// A difference of the mixed pictures of this many own steps weighs as much as the whole length.
  private static let differenceScale = 20.0
  /// Most doubled edges, see ``ReducedClip/doubling(_:_:)``, of a dissolve in which nothing is seen twice, and of one between
  /// textures. On 37 dissolves of footage that were looked at, clean ones reach 27 and those with doubled faces, hands and
  /// animals begin at 46.
  private static let (mostDoubled, softDoubled) = (32.0, 16.0)

  /// `nil` if the clip is too short to give up frames, or if every dissolve may show two pictures at once.
  func run() -> CrossFade? {
    let (times, frames) = (search.times, search.frames)
    guard let first = times.first, let last = times.last, last > first else { return nil }
    let count = search.lit.count
    let framesPerSecond = Double(frames.count) / (last - first)
    // At most a quarter of the clip: the rest is the loop.
    let share = search.request.leastShare
    let given = share > 0 ? wholeNumber((1 - share) * Double(count)) ?? 0 : count
    func length(_ seconds: Double) -> Int {
      min(max(2, wholeNumber((seconds * framesPerSecond).rounded()) ?? 1), count / 4, given)
    }
    let usual = length(Self.usualLength)
    guard usual >= 2 else { return nil }
    for seconds in Self.softLengths where length(seconds) > usual {
      if let fade = best(length(seconds), atMost: Self.softDoubled) { return fade }
    }
    return best(usual, atMost: Self.mostDoubled)
  }

  private func best(_ fade: Int, atMost most: Double) -> CrossFade? {
    let (times, frames) = (search.times, search.frames)
    let share = search.request.leastShare
    let shortest = share > 0 ? search.shortest : search.shortest / 2
    var best: (fade: CrossFade, rank: Double)?
    // Starts and ends on a grid of half a dissolve: the mix does not need a fitting frame.
    let step = max(1, fade / 2)
    let lit = search.lit
    for start in stride(from: lit.lowerBound + fade, to: lit.upperBound - fade, by: step) {
      for end in stride(from: lit.upperBound, to: start + 2 * fade - 1, by: -step)
      where search.request.isBelow(times[end] - times[start])
        && times[end] - times[start] >= shortest && search.scenes.isSteady(start - fade..<end)
      {
        let (middle, early) = (max(1, fade / 2), max(1, fade / 4))
        let places = [1, middle, fade].map { frames.coarseDistance(start - $0, end - $0) }
        let own = max(motion.own(start, end), LoopGuess.noiseFloor)
        let difference = places.reduce(0, +) / Double(places.count) / own
        let length = (times[end] - times[start]) / search.possibleLength
        // Of a long one, more than the middle is seen.
        let seen = most < Self.mostDoubled ? [early, middle, fade - fade / 4] : [middle]
        let doubled = seen.map { frames.doubling(start - $0, end - $0) }.max() ?? 0
        let rank =
          difference / Self.differenceScale + doubled / ReducedClip.mostDoubling + 1 - length
        if doubled <= most, rank < best?.rank ?? .infinity {
          best = (
            CrossFade(
              startFrame: start, endFrame: end, startSeconds: times[start],
              endSeconds: times[end], fadeFrames: fade), rank
          )
        }
      }
    }
    return best?.fade
  }
}
