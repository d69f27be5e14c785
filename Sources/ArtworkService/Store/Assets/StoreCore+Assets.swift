import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

extension StoreCore {
  /// The digest of an artwork's video; `nil` while the video is not stored.
  func present(_ reference: ArtworkReference) -> String? {
    state.withLock { state in
      guard let digest = state.artworks[reference]?.digest, state.assets[digest] != nil else {
        return nil
      }
      return digest
    }
  }

  func isStored(_ digest: String) -> Bool { state.withLock { $0.assets[digest] != nil } }

  /// Refuses other bytes under an ID that already stands for some.
  ///
  /// - Throws: `conflict`.
  func checkIdentity(_ reference: ArtworkReference, _ digest: String) throws(StoreError) {
    guard let known = record(reference)?.digest, known != digest else { return }
    throw StoreError(
      .conflict,
      "\(reference) already stands for other bytes (SHA-256 \(known.prefix(12))…, now "
        + "\(digest.prefix(12))…): new content needs a new artworkID")
  }

  /// The artwork that a staged video is for.
  struct Claim {
    var reference: ArtworkReference
    /// Where the video came from; becomes the artwork's source.
    var source: ArtworkSource
    /// The artwork's source when the work began. If the artwork has another one by now, the claim is void.
    var formerSource: ArtworkSource
  }

  /// Makes a staged and inspected video the video of an artwork. Of one without room, the preview is kept.
  ///
  /// - Throws: `conflict`, `no-space`, `failed`; `unknown-artwork` if the artwork was removed, and `late` if it was given
  ///   another source meanwhile.
  func publish(
    _ staged: StagedVideo, _ inspection: Inspection, preview: [UInt8], as claim: Claim
  ) throws(StoreError) {
    let reference = claim.reference
    try change { index throws(StoreError) in
      if try attach(staged.digest, as: claim, &index) { return }
      let artwork = try updated(claim, staged.digest)
      var asset = try StoreState.Asset(staged, inspection, previewBytes: preview.count)
      do throws(StoreError) { try makeRoom(for: asset.bytes, &index) } catch {
        keepStill(staged.digest, inspection, preview, of: reference)
        throw error
      }
      do throws(Errno) {
        try DurableFiles.create(staged.folder.appending(StoreLayout.previewFile), preview)
      } catch {
        throw StoreError(error, "store a preview")
      }
      // Judged while the inspection is at hand, so that it is not read again for that.
      if let key = reference.key { asset.brokenRules[key] = brokenRules(inspection, as: key) }
      let document = AssetDocument(
        file: staged.file, bytes: staged.bytes, inspection: inspection,
        artworks: names(of: staged.digest, with: artwork, as: reference))
      try move(staged, asset, document, [.artwork(reference, artwork)], &index)
      state.withLock { state in
        state.artworks[reference] = artwork
        (state.unseen[reference], state.supplied[reference]) = (nil, nil)
      }
    }
  }

  /// Moves a staged video into its place and records it, with other changes of the index.
  func move(
    _ staged: StagedVideo, _ asset: StoreState.Asset, _ document: AssetDocument,
    _ changes: [StoreIndex.Change], _ index: inout StoreIndex
  ) throws(StoreError) {
    var asset = asset
    let place = layout.asset(staged.digest)
    do throws(Errno) {
      try DurableFiles.create(
        staged.folder.appending(StoreLayout.assetFile), try bytes(document))
      try DurableFiles.syncFolder(staged.folder)
      try DurableFiles.makeFolder(layout.assets)
      try DurableFiles.rename(staged.folder, to: place)
      try DurableFiles.syncFolder(layout.assets)
    } catch {
      throwAway(place)
      throw StoreError(error, "store a video")
    }
    asset.stamp = staged.stamp
    asset.use = state.withLock { $0.uses } + 1
    do throws(StoreError) {
      try write(&index, changes + [.asset(staged.digest, asset, document.inspection)])
    } catch {
      throwAway(place)
      throw error
    }
    state.withLock { state in
      state.assets[staged.digest] = asset
      state.use(staged.digest)
      state.stills.removeValue(for: staged.digest)
    }
  }

  /// Makes a stored video the video of another artwork as well.
  ///
  /// - Returns: `false` when the video is not stored.
  func attach(_ digest: String, as claim: Claim) throws(StoreError) -> Bool {
    let isKnown = try change { index throws(StoreError) in
      try attach(digest, as: claim, &index)
    }
    if isKnown, let key = claim.reference.key { _ = brokenRules(digest, as: key) }
    return isKnown
  }

  private func attach(
    _ digest: String, as claim: Claim, _ index: inout StoreIndex
  ) throws(StoreError) -> Bool {
    guard isStored(digest) else { return false }
    let (reference, artwork) = (claim.reference, try updated(claim, digest))
    try keepNames(of: digest, with: artwork, as: reference)
    try write(&index, [.artwork(reference, artwork)])
    state.withLock { state in
      state.artworks[reference] = artwork
      state.supplied[reference] = nil
      state.use(digest)
    }
    return true
  }

  /// Stores a preview in the size of its video in place of the one that there may be, unless the video was evicted
  /// meanwhile.
  func keep(_ preview: [UInt8], of digest: String) throws(StoreError) {
    try change { index throws(StoreError) in
      guard isStored(digest) else { return }
      try makeRoom(for: Int64(preview.count), &index, sparing: digest)
      let temporary = layout.temporaryPath()
      do throws(Errno) {
        try DurableFiles.create(temporary, preview)
        try DurableFiles.rename(
          temporary, to: layout.asset(digest).appending(StoreLayout.previewFile))
      } catch {
        DurableFiles.remove(temporary)
        throw StoreError(error, "store a preview")
      }
      state.withLock { state in
        state.assets[digest]?.previewBytes = Int64(preview.count)
        state.use(digest)
      }
    }
  }

  func bytes(_ document: some Encodable) throws(Errno) -> [UInt8] {
    do throws(StoreError) { return try StoreFormat.bytes(document) } catch {
      throw .invalidArgument
    }
  }

  /// The artwork with the claimed source and video, if the claim still holds.
  private func updated(
    _ claim: Claim, _ digest: String
  ) throws(StoreError) -> StoreState.Artwork {
    try checkIdentity(claim.reference, digest)
    try checkKind(claim.reference, digest)
    guard var artwork = record(claim.reference) else {
      throw StoreError(.unknownArtwork, "\(claim.reference) was removed meanwhile")
    }
    guard artwork.source == claim.formerSource else {
      // The other source has brought the same bytes.
      if artwork.digest == digest { return artwork }
      throw StoreError(.late, "\(claim.reference) was given another source meanwhile; ask again")
    }
    artwork.digest = digest
    artwork.source = claim.source
    return artwork
  }
}

extension StoreState.Asset {
  /// - Throws: `failed` for an inspection without a size.
  init(
    _ staged: StagedVideo, _ inspection: Inspection, previewBytes: Int = 0
  ) throws(StoreError) {
    guard let size = inspection.previewSize else {
      throw StoreError(.failed, "the inspection has no size")
    }
    self.init(
      file: staged.file, videoBytes: staged.bytes, codec: inspection.facts.codec,
      container: inspection.facts.container, previewSize: size, previewBytes: Int64(previewBytes),
      use: 0)
  }
}

extension Inspection {
  /// The size of the first frame's preview; `nil` when the facts have no valid size.
  var previewSize: PixelSize? {
    guard facts.displayWidth > 0, facts.displayHeight > 0 else { return nil }
    return PixelSize(width: facts.displayWidth, height: facts.displayHeight).limitedForPreview
  }
}
