/// A gradient in visible steps: too few levels, or an encoder that left them out.
enum BandingRule: Rule {
  static let id = "banding"
  static let title = "gradients are smooth"
  static let explanation = Explanation(
    meaning: """
      Gradients of the first frame are not stairs of flat bands. **Info**.
      """,
    why: """
      Large screens show each step of a sky or a glow as a contour.
      """,
    measured: """
      rows and columns of the first frame: four and more steps of 2 to 8 code values, of the same sign and within 1.4 of each \
      other, with flat bands of 8 to 128 pixels between them. From 0.25 % of all pixels on \
      ([accuracy](measurements.md#blocks-and-bands)). Uneven steps, as in drawings, are left out; so are blocky pictures.
      """,
    fix: """
      export again from the original with 8 bits or more and a little noise (dithering), and with more bits for the encoder.
      """,
    source: """
      delivery pages of distributors: no artefacts of compression. The measurement is ours, chosen on labelled videos.
      """)

  /// Chosen on the tuning half of the labelled videos.
  private static let least = 0.0025

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    // Blocks are steps too.
    guard let looks = candidate.inspection.looks, let bands = looks.bands, bands >= least,
      !BlockinessRule.isBlocky(looks)
    else { return [] }
    return [
      finding(
        .info, "a gradient shows steps",
        help:
          "export it from the original with a little noise and more bits; ignore this if the bands are drawn",
        measured: "\(decimal(100 * bands, places: 2)) % of the picture is in stairs",
        limit: "less than \(decimal(100 * least, places: 2)) %", profile: profile)
    ]
  }
}
