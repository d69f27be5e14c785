// Judges labelled clips with limits that are chosen without the clips of the same source. Scripts/accuracy/seams/left-out
// builds it and gives it a line for each clip on standard input: path, tier, source and the right verdicts, separated by tabs.
// Prints a line of JSON for each. Clips are labelled ones of our own, so they are read without a worker.

import ArtworkPipeline
import SystemPackage

typealias Limit = WritableKeyPath<SeamThresholds, Double>

/// The limits that are chosen, each among these multiples of itself.
nonisolated(unsafe) let limits: [Limit] = [
  \.still, \.jump, \.excess, \.cutUnexplained, \.cutRatio, \.cutLikeness, \.beatLikeness, \.beatDifference,
  \.fade, \.shift, \.freezeOnset, \.pop, \.heldStraightness, \.mirror,
]
let multiples = [0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4]

struct Clip {
  var path: String
  var tier: Int
  var source: String
  var accepted: Set<String>
  var inspection: Inspection

  func judged(_ thresholds: SeamThresholds) -> (seam: SeamJudgement?, findings: [Finding]) {
    var profile = Profile.nowPlaying
    profile.seam = thresholds
    return Rules.judge(inspection, key: .square, profile: profile)
  }

  /// Whether a loop has an alarm, or a clear defect none; other clips count nowhere.
  func isMistake(_ thresholds: SeamThresholds) -> Bool {
    guard tier == 0 || tier == 2 else { return false }
    let (seam, findings) = judged(thresholds)
    let hasAlarm = findings.contains {
      ["loop-seam", "fade", "static"].contains($0.rule) && $0.severity != .info
    }
    if tier == 2 { return !hasAlarm }
    return hasAlarm && !accepted.contains(seam?.verdict.rawValue ?? "none")
  }
}

var clips: [Clip] = []
let inspector = Inspector()
while let line = readLine() {
  let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 4, let tier = Int(parts[1]) else { fatalError("not a clip: \(line)") }
  clips.append(
    Clip(
      path: parts[0], tier: tier, source: parts[2],
      accepted: Set(parts[3].split(separator: ",").map(String.init)),
      inspection: try inspector.inspect(FilePath(parts[0])).inspection))
}

// Mistakes by limit, multiple and source. A mistake on a loop weighs as much as one on a defect.
let sources = Set(clips.map(\.source)).sorted()
let numbers = Dictionary(uniqueKeysWithValues: sources.enumerated().map { ($1, $0) })
var mistakes = limits.map { _ in multiples.map { _ in [Int](repeating: 0, count: sources.count) } }
for (row, limit) in limits.enumerated() {
  for (column, multiple) in multiples.enumerated() {
    var thresholds = SeamThresholds.standard
    thresholds[keyPath: limit] *= multiple
    for clip in clips where clip.isMistake(thresholds) {
      mistakes[row][column][numbers[clip.source] ?? 0] += 1
    }
  }
}

// Mistakes on all sources by limit: a column of multiples that differ little is a limit that hardly matters.
var table = "mistakes by limit, at \(multiples) times itself\n"
for (row, limit) in limits.enumerated() {
  let value = SeamThresholds.standard[keyPath: limit]
  table += "\(value)\t\(mistakes[row].map { $0.reduce(0, +) })\n"
}
try FileDescriptor.standardError.writeAll(table.utf8)

for (number, source) in sources.enumerated() {
  var thresholds = SeamThresholds.standard
  for (row, limit) in limits.enumerated() {
    let others = mistakes[row].map { $0.reduce(0, +) - $0[number] }
    let best = others.indices.filter { others[$0] == others.min() }
    // Of several that are as good, the middle one: not the one in use.
    thresholds[keyPath: limit] *= multiples[best[best.count / 2]]
  }
  for clip in clips where clip.source == source {
    let (seam, findings) = clip.judged(thresholds)
    try Line(clip.path, clip.inspection, seam, findings).print()
  }
}
