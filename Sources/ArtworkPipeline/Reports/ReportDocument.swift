import ArtworkModel
import SystemPackage

/// The JSON shape of results: a public contract (`docs/report.schema.json`). Fields are only added.
struct ReportDocument: Encodable {
  /// The version of the shape; changes only when a field changes its meaning.
  static let schemaVersion = 1

  var schemaVersion = Self.schemaVersion
  var results: [ResultDocument]
  var summary: Summary
}

/// One result of ``JSONReport``.
public struct ResultDocument: Codable {
  struct Failure: Codable {
    var code: String
    var message: String
    var help: String

    init(_ error: InspectionError) {
      (code, message, help) = (error.code.rawValue, error.description, error.help)
    }
  }

  struct Seam: Codable {
    var verdict: String
    var certainty: String
    var score: Double
    var seamStep: Double
    var ownStep: Double
    var surprise: Double?
    var missingFrames: Int?
    var sentence: String
    var measurement: SeamMeasurement?
  }

  /// The last line of NDJSON.
  struct Closing: Codable {
    var schemaVersion = ReportDocument.schemaVersion
    var summary: Summary
  }

  var path: String
  /// For a path that is not UTF-8.
  var pathBytes: String?
  var key: String?
  var artworkID: String?
  var verdict: String
  /// The verdict for each profile that was judged for.
  var destinations: [String: String]?
  var facts: MediaFacts?
  var seam: Seam?
  var looks: LooksMeasurement?
  var findings: [Finding]
  var known: [Finding]?
  /// See ``CandidateReport/cover``.
  var cover: String?
  var preview: String?
  var previewBytes: String?
  var decoding: Inspection.DecodingEffort?
  var error: Failure?
  var errorIsKnown: Bool?
  var evidence: Evidence?

  public init(_ report: CandidateReport) {
    path = report.path.string
    pathBytes = report.path.percentEncodedUnlessText
    key = report.key?.rawValue
    artworkID = report.artworkID
    verdict = report.verdict.rawValue
    destinations =
      report.profiles.isEmpty
      ? nil
      : Dictionary(
        report.profiles.compactMap { profile in
          report.verdict(for: profile).map { (profile, $0.rawValue) }
        }, uniquingKeysWith: { $1 })
    facts = report.inspection?.facts
    seam = report.seam.map {
      Seam(
        verdict: $0.verdict.rawValue, certainty: $0.certainty.rawValue, score: $0.score,
        seamStep: $0.seamStep, ownStep: $0.ownStep,
        surprise: $0.surprise, missingFrames: $0.missingFrames, sentence: $0.sentence,
        measurement: report.inspection?.seam)
    }
    looks = report.inspection?.looks
    findings = report.findings
    known = report.known.isEmpty ? nil : report.known
    cover = report.cover?.path.string
    preview = report.preview?.string
    previewBytes = report.preview?.percentEncodedUnlessText
    decoding = report.inspection?.decoding
    error = report.error.map(Failure.init)
    errorIsKnown = report.errorIsKnown ? true : nil
    evidence = report.evidence
  }
}
