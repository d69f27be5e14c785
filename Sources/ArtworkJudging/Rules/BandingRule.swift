/// A gradient in visible steps: too few levels, or an encoder that left them out.
package enum BandingRule: Rule {
  package static let id = "banding"

  /// Chosen on the tuning half of the labelled videos.
  private static let least = 0.0025

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    // Blocks are steps too.
    guard let looks = candidate.inspection.looks, let bands = looks.bands, bands >= least,
      !BlockinessRule.isBlocky(looks)
    else { return [] }
    return [
      finding(
        .info, "a gradient shows steps",
        help:
          "export it from the original with a little noise and a higher bit rate; ignore this if the bands are drawn",
        measured: "\(decimal(100 * bands, places: 2)) % of the picture is in stairs",
        limit: "less than \(decimal(100 * least, places: 2)) %", profile: profile)
    ]
  }
}
