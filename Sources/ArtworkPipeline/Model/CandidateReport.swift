public import SystemPackage

/// Everything said about one candidate: one line of NDJSON, one block of text.
public struct CandidateReport: Sendable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    case pass, warn, fail, error
  }

  /// As the caller named it, or below the folder the caller named.
  public var path: FilePath
  public var key: ArtworkKey?
  public var inspection: Inspection?
  public var seam: SeamJudgement?
  public var findings: [Finding]
  /// Where the preview was written.
  public var preview: FilePath?
  public var error: InspectionError?

  public init(
    path: FilePath, key: ArtworkKey? = nil, inspection: Inspection? = nil,
    seam: SeamJudgement? = nil, findings: [Finding] = [], preview: FilePath? = nil,
    error: InspectionError? = nil
  ) {
    self.path = path
    self.key = key
    self.inspection = inspection
    self.seam = seam
    self.findings = findings
    self.preview = preview
    self.error = error
  }

  /// `error` when the file could not be inspected, else the worst finding.
  public var verdict: Verdict {
    if error != nil { return .error }
    switch findings.map(\.severity).max() {
    case .error: return .fail
    case .warning: return .warn
    case .info, nil: return .pass
    }
  }
}
