package import ArtworkModel
import ArtworkPipeline
package import SystemPackage

/// A session's own hard link to a video. It stays for as long as the session publishes the artwork.
package struct Lease: Sendable, Hashable {
  package var session: SessionReference
  package var reference: ArtworkReference
  /// Hexadecimal SHA-256 of the video.
  package var digest: String
  /// Bytes of the video.
  package var bytes: Int64
  /// The link.
  package var file: FilePath
  /// The owner of the session, as far as it outlives the service.
  package var owner: SessionOwner

  package init(
    session: SessionReference, reference: ArtworkReference, digest: String, bytes: Int64,
    file: FilePath,
    owner: SessionOwner
  ) {
    self.session = session
    self.reference = reference
    self.digest = digest
    self.bytes = bytes
    self.file = file
    self.owner = owner
  }

  /// Whether the link exists and has the right length.
  package var opens: Bool { FileState(of: file)?.size == bytes }
}
