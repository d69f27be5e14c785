/// The result for one candidate: one line of NDJSON, one block of text.
public struct CandidateReport: Sendable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    case pass, warn, fail, error
  }

  /// Path as the caller named it, or below the folder that the caller named.
  public var path: FilePath
  public var key: ArtworkKey?
  /// The artwork that it belongs to; `nil` if neither a manifest nor the name states it.
  public var artworkID: String?
  /// The release that it belongs to; `nil` without one.
  package var release: Release.Name?
  /// The cover of its release; `nil` without one.
  package var cover: Candidate?
  public var inspection: Inspection?
  public var seam: SeamJudgement?
  /// Worst first within each profile.
  public var findings: [Finding]
  /// Findings in the baseline: they are reported, but do not count.
  public var known: [Finding] = []
  /// The path of the written preview.
  public var preview: FilePath?
  public var error: InspectionError?
  /// Whether the error is in the baseline.
  public var errorIsKnown = false
  /// Pictures for reports that contain them; `nil` if no report does.
  package var reportImages: ReportImages?
  /// The names of the profiles.
  public var profiles: [String]
  /// What a merge needs; `nil` for a result of no shard.
  package var evidence: Evidence?

  package init(
    path: FilePath, key: ArtworkKey? = nil, artworkID: String? = nil,
    inspection: Inspection? = nil, seam: SeamJudgement? = nil, findings: [Finding] = [],
    preview: FilePath? = nil, error: InspectionError? = nil, profiles: [String] = []
  ) {
    self.path = path
    self.key = key
    self.artworkID = artworkID
    self.inspection = inspection
    self.seam = seam
    self.findings = findings
    self.preview = preview
    self.error = error
    self.profiles = profiles
  }

  /// Joins the findings of the file with those of rules that compare it with others. Sorts them by profile, then worst
  /// first.
  ///
  /// - Parameter rules: the ids of those rules. Their earlier findings are replaced.
  package mutating func join(_ compared: [Finding], of rules: Set<String>) {
    let all = findings.filter { !rules.contains($0.rule) } + compared
    findings = profiles.flatMap { profile in
      Finding.Severity.allCases.sorted(by: >).flatMap { severity in
        all.filter { $0.profile == profile && $0.severity == severity }
      }
    }
  }

  /// `error` if the file could not be inspected, or else the worst finding.
  public var verdict: Verdict { verdict(of: findings) }

  /// The verdict for one profile; `nil` if the candidate was not judged for it.
  public func verdict(for profile: String) -> Verdict? {
    guard profiles.contains(profile) else { return nil }
    return verdict(of: findings.filter { $0.profile == profile })
  }

  private func verdict(of findings: [Finding]) -> Verdict {
    if error != nil { return .error }
    switch findings.map(\.severity).max() {
    case .error: return .fail
    case .warning: return .warn
    case .info, nil: return .pass
    }
  }
}
