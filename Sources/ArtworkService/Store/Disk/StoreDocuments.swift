import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
internal import SystemPackage

/// The description of a video in its asset folder: enough to rebuild the index.
struct AssetDocument: Codable, Equatable {
  var format = StoreFormat.current
  /// The file name of the video.
  var file: String
  var bytes: Int64
  var inspection: Inspection
  /// The artworks that had this video when the document was written.
  var artworks: [Name]
  /// What it was made of, if the store made it.
  var rendition: RenditionKey?

  struct Name: Equatable {
    var reference: ArtworkReference
    var source: ArtworkSource
  }
}

extension AssetDocument.Name: Codable {
  private enum CodingKeys: String, CodingKey { case artworkID, key, source }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let artworkID = try container.decode(ArtworkID.self, forKey: .artworkID)
    let part = try container.decode(String.self, forKey: .key)
    guard let reference = ArtworkReference(artworkID, part: part) else {
      throw DecodingError.dataCorruptedError(
        forKey: .key, in: container, debugDescription: "unknown key \"\(part)\"")
    }
    self.reference = reference
    source = try container.decode(ArtworkSource.self, forKey: .source)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(reference.artworkID, forKey: .artworkID)
    try container.encode(reference.part, forKey: .key)
    try container.encode(source, forKey: .source)
  }
}

/// The description of a lease beside its file.
struct LeaseDocument: Codable, Equatable {
  var format = StoreFormat.current
  var session: SessionID
  var application: String
  var artworkID: ArtworkID
  var key: String
  var digest: String
  var bytes: Int64
  var file: String
  /// The size of a rendition; `nil` for the video itself.
  var rendition: PixelSize?
  var making: Lease.Making
  /// When the bytes were known to be right; `nil` for a hard link, whose status changes with each other one.
  var seen: Seen?
  var owner: SessionOwner

  /// The state of a file while its bytes were right. Proves nothing after a restart of the system: what was written and
  /// not synced may be lost then.
  struct Seen: Codable, Equatable {
    var stamp: FileStamp
    var boot: String
  }

  init(_ lease: Lease, _ file: String, _ stamp: FileStamp?) {
    session = lease.session.id
    application = lease.session.application
    artworkID = lease.reference.artworkID
    key = lease.reference.part
    digest = lease.digest
    bytes = lease.bytes
    self.file = file
    rendition = lease.rendition
    making = lease.making
    owner = lease.owner
    if let stamp, let boot = SystemStart.identifier { seen = Seen(stamp: stamp, boot: boot) }
  }

  /// `nil` when the bytes may have changed since.
  var stamp: FileStamp? {
    seen.flatMap { $0.boot == SystemStart.identifier ? $0.stamp : nil }
  }

  var reference: ArtworkReference? { ArtworkReference(artworkID, part: key) }
}

/// The format of the index and of the documents on disk. There is no way from one to another: a source is put again.
enum StoreFormat {
  static let current = 3

  /// - Throws: `failed` for a store of another format.
  static func check(_ format: Int, of store: FilePath) throws(StoreError) {
    if format == current { return }
    throw StoreError(
      .failed,
      "\(store) is a store of \(format < current ? "an earlier" : "a later") version of artworkd (format \(format), "
        + "and this version needs \(current)): remove the folder or choose another one with --store; "
        + "artwork has to be put again")
  }

  /// The part that documents of all formats have.
  private struct Version: Decodable { var format: Int }

  /// The format of a document; `nil` for other bytes.
  static func format(_ bytes: [UInt8]) -> Int? { document(Version.self, bytes)?.format }

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
