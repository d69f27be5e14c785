/// On the web a movie plays while it arrives only if its header comes first.
enum FastStartRule: Rule {
  static let id = "fast-start"
  static let title = "the movie header comes first"
  static let explanation = Explanation(
    meaning: """
      The movie header (`moov`) precedes the media data. **Warning**; only in `web`, as artwork of the \
      others is a local file.
      """,
    why: """
      a browser that finds the header at the end has to fetch the file twice, or all of it, before it shows \
      the first frame.
      """,
    measured: """
      the order of the boxes. Only MP4 and QuickTime have it.
      """,
    fix: """
      `ffmpeg -i IN -c copy -movflags +faststart OUT.mp4`, which encodes nothing.
      """,
    source: """
      known of progressive download.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.facts.movieHeaderFirst == false else { return [] }
    return [
      finding(
        .warning, "the movie header comes after the media data: playing starts late",
        help: "remux it without encoding: ffmpeg -i IN -c copy -movflags +faststart OUT.mp4",
        measured: "moov last", limit: "moov first", profile: profile)
    ]
  }
}
