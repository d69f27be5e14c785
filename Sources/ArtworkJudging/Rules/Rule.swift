/// A check with a stable id. Each has a page in docs/rules; ``Rules/catalogue`` lists them.
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

/// A check of one candidate: a pure function of an inspection and a profile. It states one of both functions.
package protocol Rule: RuleDescription {
  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach?
  static func breaches(_ candidate: JudgedCandidate, _ profile: Profile) -> [Breach]
}

extension Rule {
  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? { nil }

  package static func breaches(_ candidate: JudgedCandidate, _ profile: Profile) -> [Breach] {
    [breach(candidate, profile)].compactMap(\.self)
  }
}

/// A check of a video among the files of its release: a pure function of them and a profile.
package protocol ReleaseRule: RuleDescription {
  /// - Parameter video: its index in ``Release/videos``.
  static func breach(
    _ video: Int, of release: Release, _ profile: Profile
  ) -> Breach?
  static func breaches(
    of release: Release, _ profile: Profile
  ) -> [(video: Int, breach: Breach)]
}

extension ReleaseRule {
  package static func breach(
    _ video: Int, of release: Release, _ profile: Profile
  ) -> Breach? { nil }

  package static func breaches(
    of release: Release, _ profile: Profile
  ) -> [(video: Int, breach: Breach)] {
    release.videos.indices.compactMap { video in
      breach(video, of: release, profile).map { (video, $0) }
    }
  }
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

  package var facts: MediaFacts { inspection.facts }
}

/// What a rule finds: a ``Finding`` without the names of the rule and the profile.
package struct Breach {
  var severity: Finding.Severity
  var message: String
  var help: String
  var repair: Remedy?
  var measured: String?
  var limit: String?
  /// The command and the kind of repair, in place of those of ``repair``.
  var command: String?
  var kind: RepairKind?

  /// - Parameters:
  ///   - repair: with the candidate's path, the finding's command; that of `artworkd repair` is one for all findings.
  ///   - otherwise: the advice if there is no repair; `nil` for `help`.
  init(
    _ severity: Finding.Severity, _ message: String, help: String, _ repair: Remedy? = nil,
    otherwise: String? = nil, measured: String? = nil, limit: String? = nil
  ) {
    (self.severity, self.message, self.repair) = (severity, message, repair)
    self.help = repair == nil ? otherwise ?? help : help
    (self.measured, self.limit) = (measured, limit)
  }

  /// - Parameter path: the video in commands; `nil` for none.
  func finding(of rule: String, _ path: FilePath?, for profile: Profile) -> Finding {
    var found = Finding(
      rule: rule, severity: severity, message: message, help: help,
      command: command ?? path.flatMap { repair?.command(for: $0) }, measured: measured,
      limit: limit, profile: profile.name)
    (found.repair, found.edit) = (kind ?? repair?.kind, repair?.edit)
    return found
  }
}
