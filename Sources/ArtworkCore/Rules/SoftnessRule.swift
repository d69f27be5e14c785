/// A picture that was much enlarged or blurred looks soft on a large screen.
package enum SoftnessRule: Rule {
  package static let id = "softness"
  package static let title = "the picture is as sharp as its size"
  package static let explanation = Explanation(
    meaning: """
      The first frame has detail as fine as its pixels can show: it is neither enlarged nor blurred. **Info**.
      """,
    why: """
      Apple and distributors reject upscaled pictures.
      """,
    measured: """
      the spectrum of rows and columns in the busiest parts of the first frame: the share of its energy above half of the \
      highest frequency, where the picture is sharpest ([accuracy](measurements.md#soft-pictures)). Below 1.8 % it is soft. \
      Pictures with little contrast are not judged.
      """,
    fix: """
      export from the original artwork at its own size, unless the picture is meant to be out of focus.
      """,
    source: """
      delivery pages of distributors: nothing upscaled. The measurement is ours, chosen on labelled pictures.
      """)

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
