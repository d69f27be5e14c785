public import SystemPackage

/// A session's own hard link to a video: it opens for as long as the session publishes the artwork.
public struct Lease: Sendable, Hashable {
  public var session: SessionID
  public var reference: ArtworkReference
  /// Hexadecimal SHA-256 of the video.
  public var digest: String
  /// Bytes of the video.
  public var bytes: Int64
  /// The link.
  public var file: FilePath
  /// Who holds the session, as far as that outlives the service.
  public var owner: SessionOwner

  public init(
    session: SessionID, reference: ArtworkReference, digest: String, bytes: Int64, file: FilePath,
    owner: SessionOwner
  ) {
    self.session = session
    self.reference = reference
    self.digest = digest
    self.bytes = bytes
    self.file = file
    self.owner = owner
  }

  /// Whether the link is there and as long as it should be.
  public var opens: Bool { FileState(of: file)?.size == bytes }
}
