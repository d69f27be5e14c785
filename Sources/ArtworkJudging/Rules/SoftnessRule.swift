/// A picture that was much enlarged or blurred looks soft on a large screen.
package enum SoftnessRule: Rule {
  package static let id = "softness"

  /// Chosen on the tuning half of the labelled pictures.
  private static let least = 0.018

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let share = candidate.inspection.looks?.fineDetail, share < least else { return [] }
    return [
      finding(
        .info, "the picture is soft: much enlarged, or blurred",
        help:
          "export it from the original artwork at its own size; ignore this if it is meant to be out of focus",
        measured: "\(decimal(100 * share, places: 1)) % fine detail where it is sharpest",
        limit: "at least \(decimal(100 * least, places: 1)) %", profile: profile)
    ]
  }
}
