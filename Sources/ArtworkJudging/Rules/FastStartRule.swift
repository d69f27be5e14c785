/// A movie plays during its download from the web only if its header comes first.
enum FastStartRule: Rule {
  static let id = "fast-start"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.facts.movieHeaderFirst == false else { return [] }
    return [
      finding(
        .warning, "the movie header comes after the media data, so playback starts late",
        help: "copy it with the header first, without encoding",
        .copy(candidate.facts, for: profile) ?? .encode(candidate.facts, for: profile),
        of: candidate, measured: "moov last", limit: "moov first", profile: profile)
    ]
  }
}
