/// Apple prefers artwork shorter than 30 seconds.
enum DurationRule: Rule {
  static let id = "duration"
  static let title = "the clip is shorter than 30 seconds"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let seconds = candidate.facts.durationSeconds
    // Half a millisecond covers the rounding of time bases; 30 s sharp is not shorter than 30 s.
    guard seconds > profile.durationBelow - 0.0005 else { return [] }
    let limit = decimal(profile.durationBelow, places: 1)
    return [
      finding(
        .warning, "the clip is too long: it has to stay below \(limit) seconds",
        help: "cut it to a shorter loop",
        measured: "\(decimal(seconds, places: 3)) s", limit: "shorter than \(limit) s",
        profile: profile)
    ]
  }
}
