/// A gradient in visible steps: too few levels, or an encoder that left them out.
package enum BandingRule: Rule {
  package static let id = "banding"
  package static let title = "gradients are smooth"
  package static let explanation = Explanation(
    meaning: """
      Gradients of the first frame are not stairs of flat bands. **Info**.
      """,
    why: """
      Large screens show each step of a sky or a glow as a contour.
      """,
    measured: """
      rows and columns of the first frame: four or more even steps of 2 to 8 code values one way, with flat bands of 8 to 128 \
      pixels between them, in 0.25 % of the picture ([accuracy](measurements.md#blocks-and-bands)). Blocky pictures are left out.
      """,
    fix: """
      export again from the original with a little noise (dithering) and a higher bit rate.
      """,
    source: """
      as for [`blockiness`](#blockiness).
      """)

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
