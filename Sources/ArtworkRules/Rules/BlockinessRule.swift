/// Squares with visible edges: an encoder had too few bits, now or before.
enum BlockinessRule: Rule {
  static let id = "blockiness"
  static let title = "no blocks of an encoder show"
  static let explanation = Explanation(
    meaning: """
      The first frame does not show the squares in which encoders work. **Info**.
      """,
    why: """
      Viewers see squares in skies and faces. Encoding again does not remove them.
      """,
    measured: """
      small steps between calm sides, by their places: the share of the edges of a grid that show, over the share at any other \
      offset, in the direction that has fewer. Grids of 8 pixels, and enlarged ones up to 18, from 5 % on \
      ([accuracy](measurements.md#blocks-and-bands)). Mosaics and pixel art are left out.
      """,
    fix: """
      export again from the original artwork, with more bits; not from a picture or a video that was shared.
      """,
    source: """
      delivery pages of distributors: no artefacts of compression. The measurement is ours, chosen on labelled videos.
      """)

  /// Chosen on the tuning half of the labelled videos.
  private static let least = 0.05

  /// Whether the blocks of an encoder show.
  static func isBlocky(_ looks: AppearanceMeasurement) -> Bool { looks.blockEdges ?? 0 >= least }

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let looks = candidate.inspection.looks, isBlocky(looks), let edges = looks.blockEdges
    else { return [] }
    return [
      finding(
        .info, "squares show: it was compressed too much, here or before",
        help:
          "export it from the original artwork with more bits; encoding this file again keeps the squares",
        measured: "\(decimal(100 * edges, places: 1)) % of the edges of its blocks show",
        limit: "less than \(decimal(100 * least, places: 1)) %", profile: profile)
    ]
  }
}
