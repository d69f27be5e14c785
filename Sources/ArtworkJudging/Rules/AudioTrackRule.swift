/// Artwork plays without sound, so an audio track is dead weight.
enum AudioTrackRule: Rule {
  static let id = "audio-track"

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
