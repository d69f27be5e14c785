public import ArtworkModel

/// Something that is checked, with a stable id. One file each; the list is ``Rules/catalogue``.
public protocol RuleDescription: Sendable {
  static var id: String { get }
  /// A few words that say what is true where nothing is wrong, for lists.
  static var title: String { get }
  static var explanation: Explanation { get }
  /// What a configuration can change of its limits.
  static var settings: [RuleSetting] { get }
}

extension RuleDescription {
  public static var settings: [RuleSetting] { [] }
}

/// A check of one candidate: a pure function of an inspection and a profile.
public protocol Rule: RuleDescription {
  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding]
}

/// What a rule may look at.
public struct JudgedCandidate: Sendable {
  public var inspection: Inspection
  public var key: ArtworkKey
  public var seam: SeamJudgement?
  /// What lies beside the video as its preview.
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
