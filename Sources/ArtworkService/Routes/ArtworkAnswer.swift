import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// An artwork with its whole report, and with its presentation.
struct ArtworkAnswer: Encodable {
  private enum CodingKeys: String, CodingKey { case report }

  var artwork: ArtworkRecord
  var report: ResultDocument?

  func encode(to encoder: any Encoder) throws {
    try artwork.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(report, forKey: .report)
  }
}

extension AssetStore {
  /// What is known of an artwork, with its presentation.
  ///
  /// - Parameter ignored: the size of a preview that has another shape.
  func answer(
    about artwork: ArtworkRecord, withReport: Bool, ignoring ignored: PixelSize? = nil
  ) async throws -> ArtworkAnswer {
    var artwork = artwork
    (artwork.shows, artwork.reason) = presentation(of: artwork.reference)
    return ArtworkAnswer(
      artwork: artwork, report: withReport ? try await report(on: artwork, ignored) : nil)
  }

  private func presentation(of reference: ArtworkReference) -> (String, Presentation.Reason?) {
    let hasCover = availability(ArtworkReference(coverOf: reference.artworkID)).mayBePresented
    let cover = hasCover ? "cover" : "nothing"
    guard let key = reference.key else { return (cover, nil) }
    let presentation = Presentation(of: key, availability(reference))
    return (
      presentation.show == .cover ? cover : presentation.show.rawValue, presentation.reason
    )
  }

  /// The result of `check` for the profile `now-playing`; `nil` before the video was inspected, and for a cover.
  func report(
    on artwork: ArtworkRecord, _ ignored: PixelSize? = nil
  ) async throws -> ResultDocument? {
    let (inspection, refusal) = try await inspection(of: artwork)
    guard let key = artwork.key, inspection != nil || refusal != nil || ignored != nil else {
      return nil
    }
    let path = FilePath(artwork.source.text)
    var report =
      inspection.map { CandidateReport(judging: $0, of: nil, as: key) }
      ?? CandidateReport(path: path, key: key, profiles: [Profile.nowPlaying.name])
    report.artworkID = artwork.artworkID.text
    report.error = refusal
    if let ignored {
      report.findings.append(
        Finding(
          rule: PreviewAspectRule.id, severity: .warning,
          message: "the preview is \(ignored), and not \(key.rawValue): it is ignored",
          help: "register it with a preview in the shape of the video, or with none",
          profile: Profile.nowPlaying.name))
    }
    report.path = path
    return ResultDocument(report)
  }
}
