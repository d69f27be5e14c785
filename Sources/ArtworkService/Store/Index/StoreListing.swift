package import ArtworkModel
import ArtworkPipeline
package import SystemPackage

/// The contents of a store's folder. Changes nothing, and works while a service uses the store.
package struct StoreListing: Sendable {
  /// Artworks in the order of their IDs.
  package var artworks: [ArtworkRecord] = []
  /// Covers in the order of their IDs.
  package var covers: [ArtworkRecord] = []
  /// Leases in the order of their sessions.
  package var leases: [Lease] = []
  /// Bytes of videos and previews, and of leases that are copies.
  package var bytes: Int64 = 0

  /// - Throws: `failed` when the folder has no store, `damaged` when the index cannot be read.
  package init(of folder: FilePath) throws(StoreError) {
    let layout = try StoreLayout(ofStoreIn: folder)
    leases = try StoreCore.names(in: layout.leases)
      .compactMap { StoreCore.lease(in: layout.leases.appending($0))?.lease }
      .sorted {
        ($0.session.description, $0.reference.description)
          < ($1.session.description, $1.reference.description)
      }
    bytes = leases.reduce(0) { $0 + $1.ownBytes }
    let index = try StoreIndex.openToRead(layout.index)
    do {
      let assets = try index.assets()
      var sizes: [String: Int64] = [:]
      for (digest, asset) in assets {
        guard let found = try StoreCore.asset(in: layout.asset(digest), asset) else { continue }
        sizes[digest] = found.asset.videoBytes
        bytes += found.asset.bytes
      }
      let all = try index.artworks().map { reference, artwork in
        let size = artwork.digest.flatMap { sizes[$0] }
        return ArtworkRecord(
          reference, from: artwork.source, size == nil ? .registered : .ready,
          digest: artwork.digest, bytes: size,
          leases: Set(leases.filter { $0.reference == reference }.map(\.session)).count)
      }.sorted { ArtworkReference.precedes($0.reference, $1.reference) }
      (artworks, covers) = (
        all.filter { $0.reference.key != nil }, all.filter { $0.reference.key == nil }
      )
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(database: error, "read the index of \(folder)")
    }
  }
}
