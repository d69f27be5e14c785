import FoundationEssentials

/// Results that were written earlier, as ``JSONReport`` writes them. Written again, they have the same bytes.
extension CandidateReport {
  /// - Parameter line: a line of NDJSON, with or without its line break.
  /// - Throws: `DecodingError` for anything but a result.
  package init(line: [UInt8]) throws {
    self.init(try JSONDecoder().decode(ResultDocument.self, from: Data(line)))
  }

  private init(_ document: ResultDocument) {
    self.init(
      path: FilePath(text: document.path, bytes: document.pathBytes),
      key: document.key.flatMap { ArtworkKey(rawValue: $0) }, artworkID: document.artworkID,
      inspection: document.inspection, seam: document.seam?.judgement,
      findings: document.findings,
      preview: document.preview.map { FilePath(text: $0, bytes: document.previewBytes) },
      error: document.error?.inspectionError,
      profiles: document.evidence?.judges.map(\.name) ?? document.destinations?.keys.sorted() ?? [])
    known = document.known ?? []
    errorIsKnown = document.errorIsKnown ?? false
    evidence = document.evidence
    if let artworkID {
      release = Release.Name(
        folder: evidence?.release.map { FilePath($0) }, artworkID: artworkID)
    }
    cover = (evidence?.cover ?? document.cover).map { Candidate(path: FilePath($0)) }
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
      facts: facts, seam: seam?.measurement, firstFrame: evidence?.signature, decoding: decoding,
      previewIsToneMapped: facts.color.isHDR, looks: looks)
  }
}

extension ResultDocument.Seam {
  fileprivate var judgement: SeamJudgement? {
    SeamJudgement.Verdict(rawValue: verdict).map { verdict in
      SeamJudgement(
        verdict: verdict, score: score, seamStep: seamStep, ownStep: ownStep, surprise: surprise,
        certainty: SeamJudgement.Certainty(rawValue: certainty) ?? .likely,
        missingFrames: missingFrames, sentence: sentence)
    }
  }
}

extension ResultDocument.Failure {
  /// The message holds the operation, as ``InspectionError/description`` puts it there.
  private static let operationMark = " (while trying to "

  fileprivate var inspectionError: InspectionError {
    let code = InspectionError.Code(rawValue: code) ?? .workerFailed
    let parts = message.split(separator: Self.operationMark, maxSplits: 1)
    var error = InspectionError(code, message)
    if parts.count == 2, message.hasSuffix(")") {
      (error.message, error.operation) = (String(parts[0]), String(parts[1].dropLast()))
    }
    if error.help != help { error.advice = help }
    return error
  }
}
