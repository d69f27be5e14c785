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
