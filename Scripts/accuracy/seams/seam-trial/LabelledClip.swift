import ArgumentParser
import ArtworkPipeline
import ArtworkPipeline
import SystemPackage

/// A clip of a labelled set, measured.
struct LabelledClip {
  var path: String
  /// 0 for a loop, 2 for a clear defect; others count nowhere.
  var tier: Int
  var source: String
  /// The verdicts that are right.
  var accepted: Set<String>
  var inspection: Inspection

  /// Reads the path, the tier, the source and the right verdicts, separated by tabs, and measures the clip.
  init(_ line: String) throws {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let tier = Int(parts[1]) else {
      throw ValidationError("not a clip: \(line)")
    }
    path = parts[0]
    self.tier = tier
    source = parts[2]
    accepted = Set(parts[3].split(separator: ",").map(String.init))
    inspection = try Inspector().inspect(FilePath(path)).inspection
  }

  func judged(_ thresholds: SeamThresholds) -> (seam: SeamJudgement?, findings: [Finding]) {
    var profile = Profile.nowPlaying
    profile.seam = thresholds
    return Rules.judge(inspection, key: .square, profile: profile)
  }

  /// Whether a loop has an alarm, or a clear defect none.
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
