import ArgumentParser
import ArtworkPipeline
import ArtworkPipeline
import SystemPackage

/// Judges the labelled clips on standard input with limits that are chosen without the clips of the same source, and prints a
/// line of JSON for each. `Scripts/accuracy/seams/leave-one-out.py` runs it.
struct LeftOut: ParsableCommand {
  private typealias Limit = any WritableKeyPath<SeamThresholds, Double> & Sendable

  /// The limits that are chosen, each among these multiples of itself.
  private static let limits: [Limit] = [
    \.still, \.jump, \.excess, \.cutUnexplained, \.cutLikeness, \.recurring,
    \.recurringAlike, \.sameChange, \.fade, \.shift, \.contrast, \.freezeOnset, \.pop,
    \.heldStraightness, \.mirror,
  ]
  private static let multiples = [0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4]

  func run() throws {
    var clips: [LabelledClip] = []
    while let line = readLine() { clips.append(try LabelledClip(line)) }
    // Mistakes by limit, multiple and source. A mistake on a loop weighs as much as one on a defect.
    let sources = Set(clips.map(\.source)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: sources.enumerated().map { ($1, $0) })
    var mistakes = Self.limits.map { _ in
      Self.multiples.map { _ in [Int](repeating: 0, count: sources.count) }
    }
    for (row, limit) in Self.limits.enumerated() {
      for (column, multiple) in Self.multiples.enumerated() {
        var thresholds = SeamThresholds.standard
        thresholds[keyPath: limit] *= multiple
        for clip in clips where clip.isMistake(thresholds) {
          mistakes[row][column][numbers[clip.source] ?? 0] += 1
        }
      }
    }

    // Mistakes on all sources by limit: a column of multiples that differ little is a limit that hardly matters.
    var table = "mistakes by limit, at \(Self.multiples) times itself\n"
    for (row, limit) in Self.limits.enumerated() {
      let value = SeamThresholds.standard[keyPath: limit]
      table += "\(value)\t\(mistakes[row].map { $0.reduce(0, +) })\n"
    }
    try FileDescriptor.standardError.writeAll(table.utf8)

    for (number, source) in sources.enumerated() {
      var thresholds = SeamThresholds.standard
      for (row, limit) in Self.limits.enumerated() {
        let others = mistakes[row].map { $0.reduce(0, +) - $0[number] }
        let best = others.indices.filter { others[$0] == others.min() }
        // Of several that are as good, the middle one: not the one in use.
        thresholds[keyPath: limit] *= Self.multiples[best[best.count / 2]]
      }
      for clip in clips where clip.source == source {
        let (seam, findings) = clip.judged(thresholds)
        try Line(clip.path, seam, findings).print()
      }
    }
  }
}
