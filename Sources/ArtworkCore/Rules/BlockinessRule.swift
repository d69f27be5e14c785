/// Squares with visible edges: an encoder had too few bits, now or before.
package enum BlockinessRule: Rule {
  package static let id = "blockiness"
  package static let title = "no blocks of an encoder show"
  package static let explanation = Explanation(
    meaning: """
      The first frame does not show the squares in which encoders work. **Info**.
      """,
    why: """
      Viewers see squares in skies and faces. Encoding again does not remove them.
      """,
    measured: """
      small steps between calm sides: their share on a grid of 8 pixels, or of up to 18 if it was enlarged, over that beside \
      it, both ways. From 9 % on ([accuracy](measurements.md#blocks-and-bands)). Mosaics and pixel art are left out.
      """,
    fix: """
      export again from the original artwork, with a higher bit rate.
      """,
    source: """
      delivery pages of distributors: no artefacts of compression. The measurement is ours.
      """)

  /// Chosen on the tuning half of the labelled videos, and higher for drawn noise that was enlarged.
  private static let least = 0.09

  /// Whether the blocks of an encoder show.
  static func isBlocky(_ looks: AppearanceMeasurement) -> Bool { looks.blockEdges ?? 0 >= least }

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let looks = candidate.inspection.looks, isBlocky(looks), let edges = looks.blockEdges
    else { return [] }
    return [
      finding(
        .info, "squares show: it was compressed too much, here or before",
        help:
          "export it from the original artwork with a higher bit rate; encoding this file again keeps the squares",
        measured: "\(decimal(100 * edges, places: 1)) % of the edges of its blocks show",
        limit: "less than \(decimal(100 * least, places: 1)) %", profile: profile)
    ]
  }
}
