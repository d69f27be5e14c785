/// On the web, a movie plays during the download only if its header comes first.
enum FastStartRule: Rule {
  static let id = "fast-start"
  static let title = "the movie header comes first"
  static let explanation = Explanation(
    meaning: """
      The movie header (`moov`) precedes the media data. **Warning**, only in `web`; elsewhere artwork is a \
      local file.
      """,
    why: """
      a browser that finds the header at the end fetches the file in two steps, or completely, before it shows \
      the first frame.
      """,
    measured: """
      the order of the boxes in MP4 and QuickTime files.
      """,
    fix: """
      copy it with the header first, without encoding: `artworkd repair` does.
      """,
    source: """
      known (progressive download).
      """)

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
