/// The JSON shape of results: a public contract (`docs/report.schema.json`). Fields are only added.
package struct ReportDocument: Encodable {
  /// The version of the shape; changes only when a field changes its meaning.
  package static let schemaVersion = 1

  package var schemaVersion = Self.schemaVersion
  package var results: [CandidateReport]
  package var summary: Summary
}

/// One result of ``JSONReport``.
package struct ResultDocument: Codable {
  package struct Failure: Codable {
    package var code: String
    package var message: String
    package var help: String

    package init(_ error: InspectionError) {
      (code, message, help) = (error.code.rawValue, error.description, error.help)
    }
  }

  /// A judgement, and the measurement behind it in the same object.
  package struct Seam: Codable {
    var judgement: SeamJudgement
    package var measurement: SeamMeasurement?

    private enum CodingKeys: CodingKey { case loopScore, measurement }

    init(_ judgement: SeamJudgement, _ measurement: SeamMeasurement?) {
      (self.judgement, self.measurement) = (judgement, measurement)
    }

    package init(from decoder: any Decoder) throws {
      judgement = try SeamJudgement(from: decoder)
      measurement = try decoder.container(keyedBy: CodingKeys.self)
        .decodeIfPresent(SeamMeasurement.self, forKey: .measurement)
    }

    package func encode(to encoder: any Encoder) throws {
      try judgement.encode(to: encoder)
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(judgement.loopScore, forKey: .loopScore)
      try fields.encodeIfPresent(measurement, forKey: .measurement)
    }
  }

  /// The last line of NDJSON.
  struct Closing: Codable {
    var schemaVersion = ReportDocument.schemaVersion
    var summary: Summary
  }

  package var path: String
  /// The bytes of a path that is not UTF-8.
  package var pathBytes: String?
  package var key: ArtworkKey?
  package var artworkID: String?
  package var verdict: CandidateReport.Verdict
  /// The verdict for each profile that was judged for.
  package var destinations: [String: CandidateReport.Verdict]?
  package var facts: MediaFacts?
  package var seam: Seam?
  package var looks: AppearanceMeasurement?
  package var findings: [Finding]
  package var known: [Finding]?
  /// See ``CandidateReport/cover``.
  package var cover: String?
  package var preview: String?
  var previewBytes: String?
  package var decoding: Inspection.DecodingEffort?
  package var error: Failure?
  package var errorIsKnown: Bool?
  package var evidence: Evidence?

  package init(_ report: CandidateReport) {
    path = report.path.string
    pathBytes = report.path.percentEncodedUnlessText
    key = report.key
    artworkID = report.artworkID
    verdict = report.verdict
    destinations =
      report.profiles.isEmpty
      ? nil
      : Dictionary(
        report.profiles.compactMap { profile in
          report.verdict(for: profile).map { (profile, $0) }
        }, uniquingKeysWith: { $1 })
    facts = report.inspection?.facts
    seam = report.seam.map { Seam($0, report.inspection?.seam) }
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

/// A result is stored as the public document, with ``Evidence`` for what that lacks: see ``ResultDocument``.
extension CandidateReport: Codable {
  public func encode(to encoder: any Encoder) throws {
    try ResultDocument(self).encode(to: encoder)
  }

  /// Written again, a result has the same bytes. Without that, it lacks what only that states.
  public init(from decoder: any Decoder) throws {
    let document = try ResultDocument(from: decoder)
    self.init(
      path: FilePath(text: document.path, bytes: document.pathBytes), key: document.key,
      artworkID: document.artworkID, inspection: document.inspection,
      seam: document.seam?.judgement, findings: document.findings,
      preview: document.preview.map { FilePath(text: $0, bytes: document.previewBytes) },
      error: document.error?.inspectionError,
      profiles: document.evidence?.judges.map(\.name) ?? document.destinations?.keys.sorted() ?? [])
    known = document.known ?? []
    errorIsKnown = document.errorIsKnown ?? false
    evidence = document.evidence
    release = artworkID.map {
      Release.Name(folder: evidence?.release.map { FilePath($0) }, artworkID: $0)
    }
    cover = document.cover.map { Candidate(path: FilePath($0)) }
  }
}

extension FilePath {
  /// - Parameter bytes: percent-encoded, for a path that is not text.
  fileprivate init(text: String, bytes: String?) {
    self =
      bytes.flatMap { [UInt8](percentEncoded: $0) }.map { FilePath(bytes: $0) } ?? FilePath(text)
  }
}

extension ResultDocument {
  /// `nil` if the file could not be inspected. Whether a preview was tone-mapped is not stored: no rule needs it.
  fileprivate var inspection: Inspection? {
    guard let facts, let decoding else { return nil }
    return Inspection(
      facts: facts, seam: seam?.measurement, firstFrame: nil, decoding: decoding,
      previewIsToneMapped: facts.color.isHDR, looks: looks)
  }
}

extension ResultDocument.Failure {
  fileprivate var inspectionError: InspectionError {
    InspectionError(
      InspectionError.Code(rawValue: code) ?? .workerFailed, message, advice: help)
  }
}
