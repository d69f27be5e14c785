/// A check with a stable id: a pure function of an inspection and a profile. One file each; the list
/// is ``Rules/all``.
public protocol Rule: Sendable {
  static var id: String { get }
  /// A few words, for lists.
  static var title: String { get }

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding]
}

/// What a rule may look at.
public struct JudgedCandidate: Sendable {
  public var inspection: Inspection
  public var key: ArtworkKey
  public var seam: SeamJudgement?

  public var facts: MediaFacts { inspection.facts }
}

extension Rule {
  static func finding(
    _ severity: Finding.Severity, _ message: String, help: String, measured: String? = nil,
    limit: String? = nil, profile: Profile
  ) -> Finding {
    Finding(
      rule: id, severity: severity, message: message, help: help, measured: measured, limit: limit,
      profile: profile.name)
  }
}

/// All rules, and the judgement of a candidate by them.
public enum Rules {
  public static let all: [any Rule.Type] = [
    TruncatedRule.self, ContainerRule.self, CodecRule.self, CodecTagRule.self,
    PixelFormatRule.self, AspectRatioRule.self, FrameRateRule.self, FrameRateModeRule.self,
    DurationRule.self, StartOffsetRule.self, StaticRule.self, LoopSeamRule.self, FadeRule.self,
    ColorRule.self, AudioTrackRule.self,
  ]

  /// The judgement of a clip's seam; `nil` when it has a single frame.
  public static func seam(of inspection: Inspection, profile: Profile) -> SeamJudgement? {
    inspection.seam.map { LoopSeamRule.judge($0, thresholds: profile.seam) }
  }

  /// Findings of one candidate, worst first and in rule order within a severity.
  public static func judge(
    _ inspection: Inspection, key: ArtworkKey, profile: Profile
  ) -> (seam: SeamJudgement?, findings: [Finding]) {
    let seam = seam(of: inspection, profile: profile)
    let candidate = JudgedCandidate(inspection: inspection, key: key, seam: seam)
    let findings = all.flatMap { $0.check(candidate, profile: profile) }
    let bySeverity = Finding.Severity.allCases.sorted(by: >).flatMap { severity in
      findings.filter { $0.severity == severity }
    }
    return (seam, bySeverity)
  }
}
