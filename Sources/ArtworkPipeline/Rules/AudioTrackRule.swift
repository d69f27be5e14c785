/// Artwork is shown without sound: an audio track is dead weight.
enum AudioTrackRule: Rule {
  static let id = "audio-track"
  static let title = "there is no audio track"
  static let explanation = Explanation(
    meaning: """
      There is no audio. **Info.**
      """,
    why: """
      artwork is shown without sound.
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
        .info, "the audio track is never heard",
        help: "drop it: ffmpeg -i IN -c copy -an OUT.mp4", measured: "audio", limit: "no audio",
        profile: profile)
    ]
  }
}
