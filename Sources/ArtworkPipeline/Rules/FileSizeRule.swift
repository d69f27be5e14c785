/// Bytes of the file, where a destination limits them.
enum FileSizeRule: Rule {
  static let id = "file-size"
  static let title = "the file is not too large"
  static let explanation = Explanation(
    meaning: """
      The file has no more bytes than the profile allows. **Error.** Now Playing has no limit.
      """,
    why: """
      the destination refuses larger files.
      """,
    measured: """
      bytes of the file; a megabyte has a million.
      """,
    fix: """
      export it with a lower bit rate, or shorter.
      """,
    source: """
      the profile's sources.
      """)
  static let settings = [
    RuleSetting("at-most", "bytes of the file", .large(\.maxFileBytes, unit: "B"))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let bytes = candidate.facts.fileBytes
    guard let most = profile.maxFileBytes, bytes > most else { return [] }
    return [
      finding(
        .error, "the file is too large",
        help: "export it with a lower bit rate, or shorter", measured: megabytes(bytes),
        limit: "at most \(megabytes(most))", profile: profile)
    ]
  }

  private static func megabytes(_ bytes: Int64) -> String {
    "\(decimal(Double(bytes) / 1e6, places: bytes < 10_000_000 ? 2 : 1)) MB"
  }
}
