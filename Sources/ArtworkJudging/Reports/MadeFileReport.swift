import FoundationEssentials

/// A file that a command made of another, or would make: how, and how both are judged.
package struct MadeFileReport: Sendable {
  package var source: FilePath
  /// The path of the new file; `nil` if only a plan was requested.
  package var output: FilePath?
  /// Whether an earlier run made it of the same source in the same way.
  package var isFromEarlierRun: Bool
  package var encoding: EncodingReport
  /// The source; `nil` if it was not measured.
  package var before: CandidateReport?
  /// The new file; `nil` without one.
  package var after: CandidateReport?

  /// - Parameters:
  ///   - inspection: of the new file; `nil` without one.
  ///   - key: what it is meant to be; `nil` to go by its shape.
  ///   - before: the inspection of the source.
  package init(
    _ encoding: EncodingReport, _ inspection: Inspection?, of source: FilePath,
    as output: FilePath?, key: ArtworkKey? = nil, before: Inspection? = nil,
    isFromEarlierRun: Bool = false
  ) {
    (self.source, self.output, self.encoding) = (source, output, encoding)
    self.isFromEarlierRun = isFromEarlierRun
    self.before = before.map { CandidateReport(judging: $0, of: nil) }
    after = inspection.map { CandidateReport(judging: $0, of: output, as: key) }
  }

  /// Errors of rules that the source does not break.
  package var newErrors: [Finding] {
    let broken = before?.brokenRules ?? []
    return (after?.findings ?? []).filter { $0.severity == .error && !broken.contains($0.rule) }
  }
}

/// The output of `artworkd derive` for machines; docs/json.md describes it.
package struct DeriveDocument: Encodable {
  private var schemaVersion = 1
  private var path: String
  private var window: CropReport.Window?
  private var runnerUp: CropReport.Window?
  private var center: CropReport.Window?
  private var isFlat: Bool
  private var picture: String?
  private var files: [File]

  private struct File: Encodable {
    var path: String?
    var isFromEarlier: Bool
    var width: Int?
    var height: Int?
    var frameCount: Int
    var seam: String?
    var sourceSeam: String?
    var findings: [Finding]
  }

  /// - Parameter picture: of the crop; `nil` if it was not drawn.
  package init(_ reports: [MadeFileReport], of source: FilePath, _ picture: FilePath? = nil) {
    let crop = reports.first?.encoding.crop
    (path, self.picture) = (source.string, picture?.string)
    (window, runnerUp, center) = (crop?.window, crop?.runnerUp, crop?.center)
    isFlat = crop?.isFlat ?? false
    files = reports.map {
      File(
        path: $0.output?.string, isFromEarlier: $0.isFromEarlierRun,
        width: $0.encoding.crop?.size.width, height: $0.encoding.crop?.size.height,
        frameCount: $0.encoding.frameCount, seam: $0.after?.seam?.verdict.rawValue,
        sourceSeam: $0.before?.seam?.verdict.rawValue, findings: $0.after?.findings ?? [])
    }
  }
}
