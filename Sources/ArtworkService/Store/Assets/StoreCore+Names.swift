import ArtworkModel
import ArtworkPipeline
import Synchronization
internal import SystemPackage

extension StoreCore {
  /// Records in a stored video's folder which artworks it is the video of.
  ///
  /// - Parameter artwork: the new state of `reference`; `nil` when it is removed.
  func keepNames(
    of digest: String, with artwork: StoreState.Artwork?, as reference: ArtworkReference
  ) throws(StoreError) {
    guard var document = assetDocument(digest) else { return }
    let names = names(of: digest, with: artwork, as: reference)
    // A video without an artwork is about to be removed.
    if names.isEmpty || names == document.artworks { return }
    document.artworks = names
    try replace(document, of: digest)
  }

  /// Lists names in the order of their IDs, so that equal sets make equal documents.
  func names(
    of digest: String, with artwork: StoreState.Artwork?, as reference: ArtworkReference
  ) -> [AssetDocument.Name] {
    let others = names(of: digest).filter { $0.reference != reference }
    let own = artwork.map { AssetDocument.Name(reference: reference, source: $0.source) }
    return (others + (own.map { [$0] } ?? [])).sorted {
      ArtworkReference.precedes($0.reference, $1.reference)
    }
  }

  /// The artworks that a video is known to be the video of.
  func names(of digest: String) -> [AssetDocument.Name] {
    state.withLock { $0.artworks.filter { $0.value.digest == digest } }.map {
      AssetDocument.Name(reference: $0, source: $1.source)
    }.sorted { ArtworkReference.precedes($0.reference, $1.reference) }
  }

  func replace(_ document: AssetDocument, of digest: String) throws(StoreError) {
    let path = layout.asset(digest).appending(StoreLayout.assetFile)
    do throws(Errno) {
      try DurableFiles.replace(path, try bytes(document), temporary: layout.temporaryPath())
    } catch {
      throw StoreError(error, "write a video's description")
    }
  }
}
