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

/// The description of a lease beside its link.
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
  var owner: SessionOwner

  var reference: ArtworkReference { ArtworkReference(artworkID, key) }
}

extension LeaseDocument {
  init(_ lease: Lease) {
    self.init(
      session: lease.session.id, application: lease.session.application,
      artworkID: lease.reference.artworkID, key: lease.reference.key, digest: lease.digest,
      bytes: lease.bytes, file: lease.file.lastComponent?.string ?? "", owner: lease.owner)
  }
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
