/// Artwork plays without sound, so an audio track is dead weight.
enum AudioTrackRule: Rule {
  static let id = "audio-track"
  static let title = "there is no audio track"
  static let explanation = Explanation(
    meaning: """
      The file has no audio track. **Info.**
      """,
    why: """
      artwork plays without sound. An audio track only adds bytes.
      """,
    measured: """
      whether there is an audio stream.
      """,
    fix: """
      copy only the video track, without encoding: `artworkd repair` does.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.facts.hasAudio else { return [] }
    return [
      finding(
        .info, "the file has an audio track, but artwork plays without sound",
        help: "keep only the video track",
        .copy(candidate.facts, for: profile) ?? .encode(candidate.facts, for: profile),
        of: candidate, measured: "an audio track", limit: "no audio", profile: profile)
    ]
  }
}
