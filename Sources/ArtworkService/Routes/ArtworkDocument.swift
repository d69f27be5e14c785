import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import SystemPackage

/// An artwork as clients see it.
struct ArtworkDocument: Encodable {
  struct Failure: Encodable {
    var code: String
    var message: String
    var help: String?

    init(_ error: StoreError) {
      code = error.inspection?.code.rawValue ?? error.code.rawValue
      message = error.message
      help = error.inspection?.help
    }
  }

  var artworkID: ArtworkID
  /// `1x1`, `3x4` or `cover`.
  var key: String
  var status: ArtworkStatus
  var source: ArtworkSource
  var digest: String?
  var bytes: Int64?
  var leases: Int
  var report: ResultDocument?
  var error: Failure?
  /// The system's presentation of it if nothing else prevents that, and the reason.
  var shows: Shows?
  var reason: Presentation.Reason?

  enum Shows: String, Encodable {
    case video, preview, cover
    /// Neither a video nor a static cover is known.
    case nothing
  }

  /// - Parameter store: determines the presentation; `nil` leaves it out.
  init(_ artwork: StoredArtwork, withReport: Bool, shownBy store: AssetStore? = nil) {
    artworkID = artwork.reference.artworkID
    key = artwork.reference.part
    status = artwork.status
    source = artwork.source
    digest = artwork.digest
    bytes = artwork.bytes
    leases = artwork.leases
    error = artwork.error.map(Failure.init)
    if withReport { report = Self.report(artwork) }
    if let store { (shows, reason) = Self.shown(artwork.reference, store) }
  }

  private static func shown(
    _ reference: ArtworkReference, _ store: AssetStore
  ) -> (Shows, Presentation.Reason?) {
    let hasCover = store.availability(ArtworkReference(coverOf: reference.artworkID)).mayBePresented
    guard let key = reference.key else { return (hasCover ? .cover : .nothing, nil) }
    let presentation = Presentation(of: key, store.availability(reference))
    let shows: Shows =
      switch presentation.show {
      case .video: .video
      case .preview: .preview
      case .cover: hasCover ? .cover : .nothing
      }
    return (shows, presentation.reason)
  }

  /// The result of `check` for the profile `now-playing`; `nil` before the video was inspected, and for a cover.
  private static func report(_ artwork: StoredArtwork) -> ResultDocument? {
    guard let key = artwork.reference.key,
      artwork.inspection != nil || artwork.error?.inspection != nil
    else { return nil }
    let path =
      switch artwork.source {
      case .file(let path, _): path
      case .url(let url): url
      }
    var report =
      artwork.inspection.map { CandidateReport(judging: $0, of: nil, as: key) }
      ?? CandidateReport(path: FilePath(path), key: key, profiles: [Profile.nowPlaying.name])
    report.artworkID = artwork.reference.artworkID.text
    report.error = artwork.error?.inspection
    report.path = FilePath(path)
    return ResultDocument(report)
  }
}
