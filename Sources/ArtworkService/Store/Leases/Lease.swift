package import ArtworkModel
import ArtworkPipeline
package import SystemPackage

/// A session's own file with the bytes of a video. It stays for as long as the session publishes the artwork.
package struct Lease: Sendable, Hashable {
  /// How the file was made from the store's own.
  package enum Making: String, Sendable, Hashable, Codable {
    /// It shares blocks with the store's file until one of them changes.
    case reflink
    case copy
    /// A hard link: the store's file under another name.
    case link
  }

  package var session: SessionReference
  package var reference: ArtworkReference
  /// Hexadecimal SHA-256 of the video.
  package var digest: String
  /// Bytes of the video.
  package var bytes: Int64
  package var file: FilePath
  /// The size of a rendition; `nil` for the video itself.
  package var rendition: PixelSize?
  package var making: Making
  /// The owner of the session, as far as it outlives the service.
  package var owner: SessionOwner

  /// What is reported of it wherever it is.
  package var record: LeaseRecord {
    var record = LeaseRecord(session, reference, rendition: rendition)
    (record.digest, record.bytes, record.making) = (digest, bytes, making.rawValue)
    return record
  }

  /// Whether the file exists and has the right length.
  package var opens: Bool { FileState(of: file)?.size == bytes }

  /// The room that it takes beside the store's file.
  var ownBytes: Int64 { making == .copy ? bytes : 0 }

  var key: StoreState.LeaseKey {
    StoreState.LeaseKey(session, reference, rendition)
  }
}

/// A file on its way to a session.
struct PreparedLease: Sendable {
  var key: StoreState.LeaseKey
  /// Whether the session had a file with wrong bytes, which is removed.
  var hasRemoved = false
  /// What was made for the session; `nil` when it has the right file, or the video is not stored.
  var made: Made?

  struct Made: Sendable {
    var lease: Lease
    /// The store's file, and its state before it was read.
    var video: FilePath
    var state: FileState?
    /// The folder that becomes that of the lease.
    var staged: FilePath
    /// Bytes of the budget that are kept for it.
    var reserved: Int64
  }
}
