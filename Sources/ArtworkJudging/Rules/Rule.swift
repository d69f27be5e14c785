/// A check with a stable id. Each rule has its own file, and its page in docs/rules; ``Rules/catalogue`` lists them.
package protocol RuleDescription: Sendable {
  static var id: String { get }
  /// The limits that a configuration can change.
  static var settings: [RuleSetting] { get }
}

extension RuleDescription {
  package static var settings: [RuleSetting] { [] }

  package static var page: ReferencePage {
    guard let page = ReferencePage.rules[id] else {
      preconditionFailure("docs/rules has no page of \(id)")
    }
    return page
  }
}

/// A check of one candidate: a pure function of an inspection and a profile.
package protocol Rule: RuleDescription {
  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding]
}

/// The input of a rule.
package struct JudgedCandidate: Sendable {
  package var inspection: Inspection
  package var key: ArtworkKey
  /// Whether its name, a manifest or an option states the key, rather than the shape.
  package var keyIsStated = true
  package var seam: SeamJudgement?
  /// The preview that lies beside the video.
  package var suppliedPreview: SuppliedPicture?
  /// Its path, for commands; `nil` for a video without a path that people know.
  package var path: FilePath?

  package var facts: MediaFacts { inspection.facts }
}

extension RuleDescription {
  package static func finding(
    _ severity: Finding.Severity, _ message: String, help: String, measured: String? = nil,
    limit: String? = nil, profile: Profile
  ) -> Finding {
    Finding(
      rule: id, severity: severity, message: message, help: help, measured: measured, limit: limit,
      profile: profile.name)
  }

  /// A finding that a command fixes.
  ///
  /// - Parameters:
  ///   - repair: with the candidate's path, the finding's command; that of `artworkd repair` is one for all findings.
  ///   - otherwise: the advice if there is no repair; `nil` for `help`.
  package static func finding(
    _ severity: Finding.Severity, _ message: String, help: String, _ repair: Repair?,
    of candidate: JudgedCandidate, otherwise: String? = nil, measured: String? = nil,
    limit: String? = nil, profile: Profile
  ) -> Finding {
    var found = finding(
      severity, message, help: repair == nil ? otherwise ?? help : help, measured: measured,
      limit: limit, profile: profile)
    found.command = candidate.path.flatMap { repair?.command(for: $0) }
    (found.repair, found.edit) = (repair?.kind, repair?.edit)
    return found
  }
}
