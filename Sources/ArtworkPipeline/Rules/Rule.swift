public import ArtworkModel

/// A check with a stable id. Each rule has its own file; ``Rules/catalogue`` lists them.
public protocol RuleDescription: Sendable {
  static var id: String { get }
  /// A few words that state the rule, for lists.
  static var title: String { get }
  static var explanation: Explanation { get }
  /// The limits that a configuration can change.
  static var settings: [RuleSetting] { get }
}

extension RuleDescription {
  public static var settings: [RuleSetting] { [] }
}

/// A check of one candidate: a pure function of an inspection and a profile.
public protocol Rule: RuleDescription {
  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding]
}

/// The input of a rule.
public struct JudgedCandidate: Sendable {
  public var inspection: Inspection
  public var key: ArtworkKey
  public var seam: SeamJudgement?
  /// The preview that lies beside the video.
  public var suppliedPreview: SuppliedPicture?

  public var facts: MediaFacts { inspection.facts }
}

extension RuleDescription {
  static func finding(
    _ severity: Finding.Severity, _ message: String, help: String, measured: String? = nil,
    limit: String? = nil, profile: Profile
  ) -> Finding {
    Finding(
      rule: id, severity: severity, message: message, help: help, measured: measured, limit: limit,
      profile: profile.name)
  }
}
