/// A player repeats a file when its longest track has ended, so a track that outlasts the last frame holds it at each
/// repeat.
enum LoopGapRule: Rule {
  static let id = "loop-gap"
  static let title = "nothing outlasts the last frame"
  static let explanation = Explanation(
    meaning: """
      The movie ends when its last frame does. **Warning** if another track, the movie header or the last frame itself \
      lasts longer, by more than a frame and 40 ms; **error** from 100 ms on.
      """,
    why: """
      a player repeats a file when its longest track ends. Sound of 3.5 s beside 3.0 s of video holds or blackens the \
      picture for half a second at each repeat.
      """,
    measured: """
      the time from the end of the last frame, shown as long as the longest other one, to the end of the movie (`mvhd`, \
      or the duration of a Matroska segment), of the last track after its edit list, and of the sound without the samples \
      that only prime or pad its decoder. Animated images say of each frame how long it is shown, and are left out.
      """,
    fix: """
      `artworkd repair` copies the video track alone, so that the movie ends with its frames.
      """,
    source: """
      ours. Looping players (AVPlayerLooper, ExoPlayer, mpv) wait for the longest track. A frame and 40 ms, because \
      a frame of AAC or MP3 lasts 21 to 26 ms, so that sound seldom ends exactly with the picture.
      """)

  /// Gaps of this many seconds are visible to everyone: six frames at 60 fps, and half of a blink.
  private static let error = 0.1

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let gap = facts.endOfMovie - facts.endOfFrames
    guard facts.frameCount > 1, !facts.isAnimation, gap > facts.unnoticedGap,
      candidate.inspection.decoding.missingFrames == 0
    else { return [] }
    let audio = facts.endOfAudio.map { $0 > facts.endOfMovie - 0.001 } ?? false
    let held = facts.startSeconds + facts.durationSeconds > facts.endOfMovie - 0.001
    let what =
      audio ? "the sound ends" : held ? "the last frame is held" : "the movie ends"
    let seconds = decimal(gap, places: 3)
    return [
      finding(
        gap < error ? .warning : .error,
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
