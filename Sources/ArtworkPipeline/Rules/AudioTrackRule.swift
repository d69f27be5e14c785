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
      `ffmpeg -i IN -c copy -an OUT.mp4`.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.facts.hasAudio else { return [] }
    return [
      finding(
        .info, "the file has an audio track, but artwork plays without sound",
        help: "remove it: ffmpeg -i IN -c copy -an OUT.mp4", measured: "an audio track",
        limit: "no audio",
        profile: profile)
    ]
  }
}
