import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The description of a video in its asset folder: enough to rebuild the index.
struct AssetDocument: Codable, Equatable {
  var format = StoreFormat.current
  /// The file name of the video.
  var file: String
  var bytes: Int64
  var inspection: Inspection
  /// The artworks that had this video when the document was written.
  var artworks: [Name]

  struct Name: Codable, Equatable {
    var artworkID: ArtworkID
    var key: ArtworkKey
    var source: ArtworkSource

    var reference: ArtworkReference { ArtworkReference(artworkID, key) }

    static func precedes(_ one: Name, _ other: Name) -> Bool {
      (one.artworkID.text, one.key.rawValue) < (other.artworkID.text, other.key.rawValue)
    }
  }
}

/// The description of a lease beside its file.
struct LeaseDocument: Codable, Equatable {
  var format = StoreFormat.current
  var session: SessionID
  /// `nil` in the documents of older versions.
  var application: String?
  var artworkID: ArtworkID
  var key: ArtworkKey
  var digest: String
  var bytes: Int64
  var file: String
  /// `nil` for a hard link of an earlier version.
  var making: Lease.Making?
  /// When the bytes were known to be right; `nil` for a hard link, whose status changes with each other one.
  var seen: Seen?
  var owner: SessionOwner

  /// The state of a file while its bytes were right. Says nothing once the system was restarted: what was written and
  /// not synced may be lost then.
  struct Seen: Codable, Equatable {
    var stamp: FileStamp
    var boot: String
  }

  init(_ lease: Lease, _ file: String, _ stamp: FileStamp?) {
    session = lease.session.id
    application = lease.session.application
    artworkID = lease.reference.artworkID
    key = lease.reference.key
    digest = lease.digest
    bytes = lease.bytes
    self.file = file
    making = lease.making
    owner = lease.owner
    if let stamp, let boot = SystemStart.identifier { seen = Seen(stamp: stamp, boot: boot) }
  }

  /// `nil` when the bytes may have changed since.
  var stamp: FileStamp? {
    seen.flatMap { $0.boot == SystemStart.identifier ? $0.stamp : nil }
  }

  var reference: ArtworkReference { ArtworkReference(artworkID, key) }
}

/// The format of the documents on disk.
enum StoreFormat {
  static let current = 1

  static func bytes(_ document: some Encodable) throws(StoreError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(document))
    } catch {
      throw StoreError(.failed, "cannot encode JSON: \(error)")
    }
  }

  /// `nil` for bytes that are not such a document.
  static func document<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) -> T? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
