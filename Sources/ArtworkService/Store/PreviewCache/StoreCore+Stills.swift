import ArtworkModel
import ArtworkPipeline
import Synchronization

/// Previews outlive their videos, in memory: a small picture is answered though its video was evicted, or never had room.
extension StoreCore {
  /// The preview that is kept for an artwork whose video is not stored.
  func still(_ reference: ArtworkReference) -> (digest: String, still: StoreState.Still)? {
    state.withLock { state in
      guard let digest = state.still(of: reference), let still = state.stills.value(for: digest)
      else { return nil }
      return (digest, still)
    }
  }

  /// Whether a preview is kept for an artwork whose video is not stored.
  func hasStill(_ reference: ArtworkReference) -> Bool {
    state.withLock { state in
      let unseen = state.unseen[reference].flatMap { state.stills.value(for: $0) }
      return unseen != nil || state.still(of: reference) != nil
    }
  }

  /// Keeps a picture that a player supplies, until the video is there or the service ends.
  ///
  /// - Throws: `failed`.
  func supplyStill(
    _ png: [UInt8], _ size: PixelSize, of reference: ArtworkReference
  ) throws(StoreError) {
    guard let digest = (try? SHA256.digest(of: png))?.hexadecimal else {
      throw StoreError(.failed, "the preview has no digest")
    }
    state.withLock { state in
      state.keep(StoreState.Still(size: size, png: png), digest)
      state.supplied[reference] = digest
    }
  }

  /// Keeps the preview of a video that is about to go, if an artwork stands for it.
  func keepStill(of digest: String) {
    let asset = state.withLock { state in
      state.artworks.values.contains { $0.digest == digest } ? state.assets[digest] : nil
    }
    let path = layout.asset(digest).appending(StoreLayout.previewFile)
    guard let asset, let png = Candidate(path: path).contents(atMost: StoreState.largestStill)
    else { return }
    state.withLock { $0.keep(StoreState.Still(size: asset.previewSize, png: png), digest) }
  }

  /// Keeps the preview of a video that has no room. The artwork does not stand for it before somebody has seen it.
  func keepStill(
    _ digest: String, _ inspection: Inspection, _ preview: [UInt8], of reference: ArtworkReference
  ) {
    guard let size = inspection.previewSize, !preview.isEmpty, record(reference) != nil else {
      return
    }
    state.withLock { state in
      state.keep(StoreState.Still(size: size, png: preview), digest)
      state.unseen[reference] = digest
    }
  }

  /// Lets an artwork stand for the video whose preview was kept, because somebody sees it now.
  ///
  /// - Returns: whether there is such a preview.
  /// - Throws: `no-space`, `failed`.
  func registerStill(_ reference: ArtworkReference) throws(StoreError) -> Bool {
    try change { index throws(StoreError) in
      let kept = state.withLock { state in
        state.unseen[reference].flatMap { state.stills.value(for: $0) == nil ? nil : $0 }
      }
      guard let kept, var artwork = record(reference), artwork.digest ?? kept == kept else {
        return false
      }
      artwork.digest = kept
      try write(&index, [.artwork(reference, artwork)])
      state.withLock { state in
        state.artworks[reference] = artwork
        state.unseen[reference] = nil
      }
      return true
    }
  }
}
