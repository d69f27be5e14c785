/// The size of the file, for destinations that limit it.
enum FileSizeRule: Rule {
  static let id = "file-size"
  static let settings = [
    RuleSetting("at-most", \.maxFileBytes, .large("B", such: "400MB"))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let bytes = candidate.facts.fileBytes
    guard let most = profile.maxFileBytes, bytes > most else { return [] }
    return [
      finding(
        .error, "the file is too large",
        help: profile.acceptsPicturesOnly
          ? "export it with `artworkd export --max-bytes \(most)`, or smaller or shorter"
          : "export with a lower bit rate, or shorter",
        .encode(candidate.facts, for: profile), of: candidate, measured: megabytes(bytes),
        limit: "at most \(megabytes(most))", profile: profile)
    ]
  }

  private static func megabytes(_ bytes: Int64) -> String {
    "\(decimal(Double(bytes) / 1e6, places: bytes < 10_000_000 ? 2 : 1)) MB"
  }
}
