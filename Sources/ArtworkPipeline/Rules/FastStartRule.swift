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
      `ffmpeg -i IN -c copy -movflags +faststart OUT.mp4`, a remux that encodes nothing.
      """,
    source: """
      known (progressive download).
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.facts.movieHeaderFirst == false else { return [] }
    return [
      finding(
        .warning, "the movie header comes after the media data, so playback starts late",
        help: "remux it without encoding: ffmpeg -i IN -c copy -movflags +faststart OUT.mp4",
        measured: "moov last", limit: "moov first", profile: profile)
    ]
  }
}
