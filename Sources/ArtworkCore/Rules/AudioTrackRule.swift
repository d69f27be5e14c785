/// Artwork plays without sound, so an audio track is dead weight.
enum AudioTrackRule: Rule {
  static let id = "audio-track"
  static let title = "there is no audio track"
  static let explanation = Explanation(
    meaning: """
      The file has no audio track. **Info**, or a **warning** if the sound outlasts the video by more than a frame and 40 ms.
      """,
    why: """
      artwork plays without sound. An audio track only adds bytes, unless it ends after the video: then players hold \
      the last frame until it ends ([loop-gap](#loop-gap)).
      """,
    measured: """
      whether there is an audio stream, and when it ends.
      """,
    fix: """
      copy only the video track, without encoding: `artworkd repair` does.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard facts.hasAudio else { return [] }
    let excess = (facts.endOfAudio ?? 0) - facts.endOfFrames
    let outlasts = excess > facts.unnoticedGap
    return [
      finding(
        outlasts ? .warning : .info,
        outlasts
          ? "the file has an audio track, which ends \(decimal(excess, places: 3)) s after the last frame"
          : "the file has an audio track, but artwork plays without sound",
        help: "keep only the video track",
        .copy(facts, for: profile) ?? .encode(facts, for: profile),
        of: candidate, measured: "an audio track", limit: "no audio", profile: profile)
    ]
  }
}
