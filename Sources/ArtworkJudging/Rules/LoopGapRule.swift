/// A player repeats a file when its longest track has ended, so a track that outlasts the last frame holds it at each
/// repeat.
enum LoopGapRule: Rule {
  static let id = "loop-gap"

  /// Gaps of this many seconds are visible to everyone: six frames at 60 fps, and half of a blink. Those of up to a frame
  /// and ``padding`` seconds are usual: sound ends with a block of its own, and movie headers of phones round.
  private static let (error, padding) = (0.1, 0.04)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let gap = facts.endOfMovie - facts.endOfFrames
    guard facts.frameCount > 1, !facts.isAnimation, facts.retimedEdit == nil,
      gap > facts.unnoticedGap,
      candidate.inspection.decoding.missingFrames == 0
    else { return [] }
    let audio = facts.endOfAudio.map { $0 > facts.endOfMovie - 0.001 } ?? false
    let held = facts.startSeconds + facts.durationSeconds > facts.endOfMovie - 0.001
    let what =
      audio ? "the sound ends" : held ? "the last frame is held" : "the movie ends"
    let seconds = decimal(gap, places: 3)
    let isUsual = gap < min(error, facts.longestInterval ?? 0) + padding + 0.001
    return [
      finding(
        isUsual ? .info : gap < error ? .warning : .error,
        "\(what) \(seconds) s \(held ? "longer than others" : "after the last frame")"
          + ", so the loop pauses at each repeat",
        help: "keep only the video track, and end the movie with its last frame",
        .copy(facts, for: profile) ?? .encode(facts, for: profile), of: candidate,
        measured: "movie \(decimal(facts.endOfMovie, places: 3)) s, "
          + "frames \(decimal(facts.endOfFrames, places: 3)) s",
        limit: "a gap of \(decimal(facts.unnoticedGap - 0.001, places: 3)) s", profile: profile)
    ]
  }
}
