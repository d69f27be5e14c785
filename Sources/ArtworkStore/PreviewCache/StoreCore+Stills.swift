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
      guard let digest = state.artworks[reference]?.digest, state.assets[digest] == nil,
        let still = state.stills[digest]
      else { return nil }
      state.stills[digest]?.use = state.uses + 1
      return (digest, still.size)
    }
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
  static func addStills(to state: inout StoreState, _ layout: StoreLayout) throws(StoreError) {
    let named = Set(state.artworks.values.compactMap(\.digest))
    for name in try names(in: layout.stills) {
      let (digest, file) = (name.stem, layout.stills.appending(name))
      if named.contains(digest), state.assets[digest] == nil,
        let bytes = try contents(of: file, atMost: 1 << 30),
        let picture = PNGDecoder.decode(bytes)
      {
        state.stills[digest] = StoreState.Still(size: picture.size, bytes: Int64(bytes.count))
      } else {
        DurableFiles.remove(file)
      }
    }
  }
}

extension AssetStore {
  /// The preview of an artwork whose video is not stored, from the picture that was kept; `nil` if there is none.
  func storedPreview(
    _ reference: ArtworkReference, inside box: PixelSize?, as formats: [PictureFormat]
  ) async throws(StoreError) -> StoredPreview? {
    guard let still = core.still(reference) else { return nil }
    let size = box.map { still.size.limited(to: $0) } ?? still.size
    let key = PreviewKey(
      digest: still.digest, size: size, format: formats.first { $0.holds(size) } ?? .png)
    let path = core.layout.still(still.digest)
    let bytes = try await drawings.value(for: key) { [workers] () async throws(StoreError) in
      try await workers.run { _ throws(StoreError) in
        guard let png = Candidate(path: path).contents(atMost: 1 << 30) else {
          return [UInt8]?.none
        }
        if key.size == still.size, key.format == .png { return png }
        guard let picture = PNGDecoder.decode(png) else { return nil }
        do throws(InspectionError) {
          return try key.format.encode(try picture.scaledDown(to: key.size))
        } catch {
          throw StoreError(.failed, "the preview cannot be made: \(error)", inspection: error)
        }
      }
    }
    guard let bytes else {
      core.removeStill(still.digest)
      return nil
    }
    return StoredPreview(bytes: bytes, format: key.format, size: key.size, tag: key.tag)
  }
}
