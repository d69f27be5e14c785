import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

/// `sources.ndjson` in the store's folder: the artworks of the index when the store was opened, and each change since. It
/// matters only when the index is lost, so that it is not synced, and what does not fit on the disk is left out.
enum SourceList {
  private struct Line: Codable {
    var artworkID: ArtworkID
    var key: String
    /// `nil` for an artwork that was removed.
    var source: ArtworkSource?
    var digest: String?
  }

  /// The last line of each artwork counts. One that a crash has cut is skipped.
  static func read(
    _ path: FilePath
  ) throws(StoreError) -> [ArtworkReference: StoreState.Artwork] {
    var artworks: [ArtworkReference: StoreState.Artwork] = [:]
    let bytes = try StoreCore.contents(of: path, atMost: 1 << 28) ?? []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let line = StoreFormat.document(Line.self, Array(line)),
        let reference = ArtworkReference(line.artworkID, part: line.key)
      else { continue }
      artworks[reference] = line.source.map { .init(source: $0, digest: line.digest) }
    }
    return artworks
  }

  static func append(_ changes: [StoreIndex.Change], to path: FilePath) {
    let bytes = changes.flatMap { change in
      switch change {
      case .artwork(let reference, let artwork): line(reference, artwork)
      case .noArtwork(let reference): line(reference, nil)
      case .asset, .noAsset, .use: [UInt8]()
      }
    }
    if !bytes.isEmpty { try? DurableFiles.append(bytes, to: path) }
  }

  static func replace(_ artworks: [ArtworkReference: StoreState.Artwork], in layout: StoreLayout) {
    let bytes = artworks.flatMap { line($0, $1) }
    try? DurableFiles.replace(layout.sources, bytes, temporary: layout.temporaryPath())
  }

  /// Begins with a line's end, so that one that a crash has cut spoils no other.
  private static func line(
    _ reference: ArtworkReference, _ artwork: StoreState.Artwork?
  ) -> [UInt8] {
    let line = Line(
      artworkID: reference.artworkID, key: reference.part, source: artwork?.source,
      digest: artwork?.digest)
    return [UInt8(ascii: "\n")] + ((try? StoreFormat.bytes(line)) ?? [])
  }
}
