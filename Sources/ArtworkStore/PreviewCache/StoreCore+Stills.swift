import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

/// Previews outlive their videos: a small picture is answered though its video was evicted, or never had room.
extension StoreCore {
  /// Bytes of stills beside the budget: a sixteenth of it, and at least those of a few large pictures.
  private var stillBudget: Int64 { max(16 << 20, byteBudget / 16) }

  /// The preview that is kept for an artwork whose video is not stored.
  func still(_ reference: ArtworkReference) -> (digest: String, size: PixelSize)? {
    state.withLock { state in
      guard let digest = state.still(of: reference), let still = state.stills[digest] else {
        return nil
      }
      state.stills[digest]?.use = state.uses + 1
      return (digest, still.size)
    }
  }

  /// Whether a preview is kept for an artwork whose video is not stored.
  func hasStill(_ reference: ArtworkReference) -> Bool {
    state.withLock { state in
      let unseen = state.unseen[reference].flatMap { state.stills[$0] }
      return unseen != nil || state.still(of: reference) != nil
    }
  }

  /// Keeps a picture that a player supplies, until the video is there or the service ends.
  ///
  /// - Throws: `no-space`, `failed`.
  func supplyStill(
    _ png: [UInt8], _ size: PixelSize, of reference: ArtworkReference
  ) throws(StoreError) {
    guard let digest = (try? SHA256.digest(of: png))?.hexadecimal else {
      throw StoreError(.failed, "the preview has no digest")
    }
    try writeStill(png, digest, size)
    let former = state.withLock { $0.supplied.updateValue(digest, forKey: reference) }
    if let former, former != digest { removeSupplied(former) }
  }

  /// Removes what a player has supplied, unless another artwork has it.
  func forgetSupplied(_ reference: ArtworkReference) {
    if let digest = state.withLock({ $0.supplied.removeValue(forKey: reference) }) {
      removeSupplied(digest)
    }
  }

  private func removeSupplied(_ digest: String) {
    if !state.withLock({ $0.supplied.values.contains(digest) }) { removeStill(digest) }
  }

  private func writeStill(
    _ preview: [UInt8], _ digest: String, _ size: PixelSize
  ) throws(StoreError) {
    let temporary = layout.temporaryPath()
    do throws(Errno) {
      try DurableFiles.makeFolder(layout.stills)
      try DurableFiles.create(temporary, preview)
      try DurableFiles.rename(temporary, to: layout.still(digest))
    } catch {
      DurableFiles.remove(temporary)
      throw StoreError(error, "keep a preview")
    }
    add(StoreState.Still(size: size, bytes: Int64(preview.count)), digest)
  }

  /// Moves the preview out of a folder that is about to go, if an artwork stands for the video.
  func keepStill(of digest: String) {
    let asset = state.withLock { state in
      state.artworks.values.contains { $0.digest == digest } ? state.assets[digest] : nil
    }
    guard let asset, let bytes = asset.previews[StoreLayout.previewFile] else { return }
    do throws(Errno) {
      try DurableFiles.makeFolder(layout.stills)
      try DurableFiles.rename(
        layout.asset(digest).appending(StoreLayout.previewFile), to: layout.still(digest))
    } catch {
      // It is made again with the video.
      logger.info("a preview is not kept", metadata: ["error": "\(error)"])
      return
    }
    add(StoreState.Still(size: asset.previewSize, bytes: bytes), digest)
  }

  /// Keeps the preview of a video that has no room. The artwork does not stand for it before somebody has seen it.
  ///
  /// - Throws: `no-space`, `failed`.
  func keepStill(
    _ digest: String, _ inspection: Inspection, _ preview: [UInt8], of reference: ArtworkReference
  ) throws(StoreError) {
    guard let size = inspection.previewSize, !preview.isEmpty, record(reference) != nil else {
      return
    }
    try writeStill(preview, digest, size)
    state.withLock { $0.unseen[reference] = digest }
  }

  /// Lets an artwork stand for the video whose preview was kept, because somebody sees it now.
  ///
  /// - Returns: whether there is such a preview.
  /// - Throws: `no-space`, `failed`.
  func registerStill(_ reference: ArtworkReference) throws(StoreError) -> Bool {
    try change { index throws(StoreError) in
      let kept = state.withLock { state in
        state.unseen[reference].flatMap { state.stills[$0] == nil ? nil : $0 }
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

  private func add(_ still: StoreState.Still, _ digest: String) {
    let beyond = state.withLock { state in
      var still = still
      still.use = state.uses + 1
      state.stills[digest] = still
      return state.stillsBeyond(stillBudget)
    }
    for digest in beyond { removeStill(digest) }
  }

  func removeStill(_ digest: String) {
    guard state.withLock({ $0.stills.removeValue(forKey: digest) }) != nil else { return }
    DurableFiles.remove(layout.still(digest))
  }

  /// Finds the stills of artworks whose videos are not stored, and removes the others.
  func findStills() throws(StoreError) {
    let named = state.withLock { state in
      Set(state.artworks.values.compactMap(\.digest).filter { state.assets[$0] == nil })
    }
    for name in try Self.names(in: layout.stills) {
      let file = layout.stills.appending(name)
      if named.contains(name.stem), let bytes = try Self.contents(of: file, atMost: 1 << 30),
        let picture = PNGDecoder.decode(bytes)
      {
        add(StoreState.Still(size: picture.size, bytes: Int64(bytes.count)), name.stem)
      } else {
        DurableFiles.remove(file)
      }
    }
  }
}
