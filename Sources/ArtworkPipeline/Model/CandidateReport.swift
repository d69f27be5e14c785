public import ArtworkModel
public import SystemPackage

/// Everything said about one candidate: one line of NDJSON, one block of text.
public struct CandidateReport: Sendable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    case pass, warn, fail, error
  }

  /// As the caller named it, or below the folder the caller named.
  public var path: FilePath
  public var key: ArtworkKey?
  /// The artwork that it belongs to; `nil` where neither a manifest nor its name tells.
  public var artworkID: String?
  public var inspection: Inspection?
  public var seam: SeamJudgement?
  /// Worst first within each profile.
  public var findings: [Finding]
  /// Findings that a baseline knows: shown, and counted by nobody.
  public var known: [Finding] = []
  /// Where the preview was written.
  public var preview: FilePath?
  public var error: InspectionError?
  /// Whether a baseline knows the error.
  public var errorIsKnown = false
  /// Pictures for reports that show some; `nil` where none were asked for.
  public var exhibit: Exhibit?
  /// What was judged for, by name.
  public var profiles: [String]

  public init(
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

  /// Brings findings into their order: by profile, then worst first.
  mutating func sortFindings() {
    findings = profiles.flatMap { profile in
      Finding.Severity.allCases.sorted(by: >).flatMap { severity in
        findings.filter { $0.profile == profile && $0.severity == severity }
      }
    }
  }

  /// `error` when the file could not be inspected, else the worst finding.
  public var verdict: Verdict { verdict(of: findings) }

  /// The verdict for one destination; `nil` for one that it was not judged for.
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
