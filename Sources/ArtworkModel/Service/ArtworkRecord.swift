/// An artwork as the store, the service and its clients describe it.
public struct ArtworkRecord: Sendable, Equatable, Codable {
  public var artworkID: ArtworkID
  /// `1x1`, `3x4` or `cover`.
  private var part: String
  public var status: ArtworkStatus
  public var source: ArtworkSource
  /// Hexadecimal SHA-256 of the video, once known; kept when the bytes are evicted.
  public var digest: String?
  /// Bytes of the video; `nil` while it is not stored.
  public var bytes: Int64?
  /// Sessions that have a lease on it.
  public var leases: Int
  /// The result of `artworkd check`.
  public var report: Report?
  /// Why the video cannot be used.
  public var error: Failure?
  /// The system's presentation of it if nothing else prevents that: `video`, `preview`, `cover`, or `nothing` if neither
  /// a video nor a static cover is known.
  public var shows: String?
  /// Why the system presents it so.
  public var reason: Presentation.Reason?

  public struct Report: Sendable, Equatable, Codable {
    /// `pass`, `warn`, `fail` or `error`.
    public var verdict: String
    public var findings: [Finding]?

    public struct Finding: Sendable, Equatable, Codable {
      public var rule: String
      /// `error`, `warning` or `info`.
      public var severity: String
      public var message: String
      public var help: String?
    }
  }

  public struct Failure: Sendable, Equatable, Codable {
    public var code: String
    public var message: String
    public var help: String?

    package init(_ error: StoreError) {
      code = error.inspection?.code.rawValue ?? error.code.rawValue
      message = error.message
      help = error.inspection?.help
    }
  }

  package init(
    _ reference: ArtworkReference, from source: ArtworkSource, _ status: ArtworkStatus,
    digest: String?, bytes: Int64?, leases: Int, error: StoreError? = nil
  ) {
    artworkID = reference.artworkID
    part = reference.part
    self.status = status
    self.source = source
    self.digest = digest
    self.bytes = bytes
    self.leases = leases
    self.error = error.map(Failure.init)
  }

  /// `nil` for a static cover.
  public var key: ArtworkKey? { ArtworkKey(rawValue: part) }

  public var reference: ArtworkReference {
    key.map { ArtworkReference(artworkID, $0) } ?? ArtworkReference(coverOf: artworkID)
  }

  private enum CodingKeys: String, CodingKey {
    case artworkID, status, source, digest, bytes, leases, report, error, shows, reason
    case part = "key"
  }
}

/// A request to register the source of an artwork.
package struct Registration: Sendable, Codable {
  package var source: ArtworkSource
  /// Whether a file is taken in now; `nil` for the default, which is that it is.
  package var prepare: Bool?
  /// The absolute path of a picture that is the preview until the video is there.
  package var preview: String?

  package init(source: ArtworkSource, prepare: Bool?, preview: String? = nil) {
    self.source = source
    self.prepare = prepare
    self.preview = preview
  }
}
