/// Squares with visible edges: an encoder had too few bits, now or before.
package enum BlockinessRule: Rule {
  package static let id = "blockiness"

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
