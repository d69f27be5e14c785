import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

extension StoreCore {
  /// The digest of an artwork's video, when that is here.
  func present(_ reference: ArtworkReference) -> String? {
    state.withLock { state in
      guard let digest = state.artworks[reference]?.digest, state.assets[digest] != nil else {
        return nil
      }
      return digest
    }
  }

  /// Refuses other bytes under an ID that stands for some already.
  ///
  /// - Throws: `conflict`.
  func checkIdentity(_ reference: ArtworkReference, _ digest: String) throws(StoreError) {
    guard let known = record(reference)?.digest, known != digest else { return }
    throw StoreError(
      .conflict,
      "\(reference) stands for other bytes (SHA-256 \(known.prefix(12))…, now \(digest.prefix(12))…): "
        + "new content needs a new artworkID")
  }

  /// What a video that was brought is to become.
  struct Claim {
    var reference: ArtworkReference
    /// Where it was brought from; becomes the artwork's source.
    var source: ArtworkSource
    /// The artwork's source when the bringing began: who names another one meanwhile counts, and not this.
    var formerSource: ArtworkSource
  }

  /// Makes a staged video that was looked at the video of an artwork.
  ///
  /// - Throws: `conflict`, `no-space`, `failed`; `unknown-artwork` when it was forgotten, and `late` when it was given
  ///   another source meanwhile.
  func publish(
    _ staged: StagedVideo, _ inspection: Inspection, preview: [UInt8], as claim: Claim
  ) throws(StoreError) {
    let reference = claim.reference
    guard let previewSize = inspection.previewSize else {
      throw StoreError(.failed, "the inspection has no size")
    }
    try change { index throws(StoreError) in
      let artwork = try settled(claim, staged.digest)
      guard state.withLock({ $0.assets[staged.digest] }) == nil else {
        try name(reference, artwork, &index)
        return
      }
      var asset = StoreState.Asset(
        file: staged.file, videoBytes: staged.bytes, previewSize: previewSize,
        previews: [StoreLayout.previewFile: Int64(preview.count)], use: 0)
      try makeRoom(for: asset.bytes, &index)
      let document = AssetDocument(
        file: staged.file, bytes: staged.bytes, inspection: inspection,
        artworks: names(of: staged.digest, with: artwork, as: reference))
      let place = layout.asset(staged.digest)
      do throws(Errno) {
        try DurableFiles.create(staged.folder.appending(StoreLayout.previewFile), preview)
        try DurableFiles.create(
          staged.folder.appending(StoreLayout.assetFile), try bytes(document))
        try DurableFiles.syncFolder(staged.folder)
        try DurableFiles.rename(staged.folder, to: place)
        try DurableFiles.syncFolder(layout.assets)
      } catch {
        throwAway(place)
        throw StoreError(error, "keep a video")
      }
      // Judged while the inspection is at hand: nobody has to read the index for it later.
      asset.broken[reference.key] = broken(inspection, as: reference.key)
      asset.use = state.withLock { $0.uses } + 1
      do throws(StoreError) {
        try write(
          &index, [.artwork(reference, artwork), .asset(staged.digest, asset, inspection)])
      } catch {
        throwAway(place)
        throw error
      }
      state.withLock { state in
        state.artworks[reference] = artwork
        state.assets[staged.digest] = asset
        state.use(staged.digest)
      }
    }
  }

  /// Makes a video that is here the video of another artwork as well.
  ///
  /// - Returns: `false` when it is not here.
  func adopt(_ digest: String, as claim: Claim) throws(StoreError) -> Bool {
    try change { index throws(StoreError) in
      guard state.withLock({ $0.assets[digest] }) != nil else { return false }
      try name(claim.reference, try settled(claim, digest), &index)
      return true
    }
  }

  /// Keeps a preview of another size. When the video has gone meanwhile, nothing is kept.
  func keep(_ preview: [UInt8], _ size: PixelSize, of digest: String) throws(StoreError) {
    try change { index throws(StoreError) in
      guard let asset = state.withLock({ $0.assets[digest] }) else { return }
      let file = asset.previewFile(size)
      if asset.previews[file] != nil { return }
      try makeRoom(for: Int64(preview.count), &index, sparing: digest)
      // Sizes come from outside: there are not ever more of them.
      if asset.previews.count > Self.mostPreviews, let old = asset.oldestPreview {
        DurableFiles.remove(layout.asset(digest).appending(old))
        state.withLock { $0.assets[digest]?.forgetPreview(old) }
      }
      let spare = layout.spare()
      do throws(Errno) {
        try DurableFiles.create(spare, preview)
        try DurableFiles.rename(spare, to: layout.asset(digest).appending(file))
      } catch {
        DurableFiles.remove(spare)
        throw StoreError(error, "keep a preview")
      }
      state.withLock { state in
        state.assets[digest]?.previews[file] = Int64(preview.count)
        state.use(digest, preview: file)
      }
    }
  }

  /// Sizes that one video has previews in, besides its own.
  private static let mostPreviews = 16

  /// Removes what was not used for longest, down to `budget` bytes. What is leased stays.
  ///
  /// - Returns: how many videos went.
  @discardableResult
  func evict(downTo budget: Int64) throws(StoreError) -> Int {
    try change { index throws(StoreError) in evict(downTo: budget, sparing: nil, &index) }
  }

  /// Whether the index could be told: a row too many is mended when the store is opened.
  func removeAsset(_ digest: String, _ index: inout StoreIndex) {
    throwAway(layout.asset(digest))
    state.withLock { $0.assets[digest] = nil }
    do throws(StoreError) {
      try write(&index, [.noAsset(digest)])
    } catch {
      logger.warning("the index keeps a row too many", metadata: ["error": "\(error)"])
    }
  }

  /// Takes a folder out of sight by one rename, then removes it; what is left in `incoming` goes when the store is
  /// opened.
  ///
  /// - Returns: whether it is out of sight.
  @discardableResult
  func throwAway(_ folder: FilePath) -> Bool {
    let spare = layout.spare()
    guard (try? DurableFiles.rename(folder, to: spare)) != nil else {
      return DurableFiles.remove(folder)
    }
    DurableFiles.remove(spare)
    return true
  }

  func bytes(_ document: some Encodable) throws(Errno) -> [UInt8] {
    do throws(StoreError) { return try StoreFormat.bytes(document) } catch {
      throw .invalidArgument
    }
  }

  /// What the artwork becomes, if it may still become that.
  private func settled(
    _ claim: Claim, _ digest: String
  ) throws(StoreError) -> StoreState.Artwork {
    try checkIdentity(claim.reference, digest)
    guard var artwork = record(claim.reference) else {
      throw StoreError(.unknownArtwork, "\(claim.reference) was removed meanwhile")
    }
    guard artwork.source == claim.formerSource else {
      // The other one has brought the same bytes.
      if artwork.digest == digest { return artwork }
      throw StoreError(.late, "\(claim.reference) was given another source meanwhile; ask again")
    }
    artwork.digest = digest
    artwork.source = claim.source
    return artwork
  }

  /// Notes that a video which is here is that of an artwork, in the folder and in the index.
  private func name(
    _ reference: ArtworkReference, _ artwork: StoreState.Artwork, _ index: inout StoreIndex
  ) throws(StoreError) {
    guard let digest = artwork.digest else { return }
    try keepNames(of: digest, with: artwork, as: reference)
    try write(&index, [.artwork(reference, artwork)])
    state.withLock { state in
      state.artworks[reference] = artwork
      state.use(digest)
    }
  }

  /// Notes in a video's folder, where it is here, of which artworks it is the video.
  ///
  /// - Parameter artwork: what `reference` is from now on, or `nil`.
  func keepNames(
    of digest: String, with artwork: StoreState.Artwork?, as reference: ArtworkReference
  ) throws(StoreError) {
    guard var document = assetDocument(digest) else { return }
    let names = names(of: digest, with: artwork, as: reference)
    // One without a name is about to go.
    if names.isEmpty || names == document.artworks { return }
    document.artworks = names
    try replace(document, of: digest)
  }

  /// In the order of their IDs, so that the same ones are the same document.
  private func names(
    of digest: String, with artwork: StoreState.Artwork?, as reference: ArtworkReference
  ) -> [AssetDocument.Name] {
    let others = names(of: digest).filter { $0.reference != reference }
    let own = artwork.map {
      AssetDocument.Name(artworkID: reference.artworkID, key: reference.key, source: $0.source)
    }
    return (others + (own.map { [$0] } ?? [])).sorted(by: AssetDocument.Name.precedes)
  }

  /// As far as they are known now.
  func names(of digest: String) -> [AssetDocument.Name] {
    state.withLock { $0.artworks.filter { $0.value.digest == digest } }.map { reference, artwork in
      AssetDocument.Name(
        artworkID: reference.artworkID, key: reference.key, source: artwork.source)
    }.sorted(by: AssetDocument.Name.precedes)
  }

  func replace(_ document: AssetDocument, of digest: String) throws(StoreError) {
    let path = layout.asset(digest).appending(StoreLayout.assetFile)
    do throws(Errno) {
      try DurableFiles.replace(path, try bytes(document), spare: layout.spare())
    } catch {
      throw StoreError(error, "name a video")
    }
  }

  /// Evicts as much as it takes, and nothing where that would not be enough.
  private func makeRoom(
    for bytes: Int64, _ index: inout StoreIndex, sparing spared: String? = nil
  ) throws(StoreError) {
    let left = byteBudget - state.withLock { $0.bytesToStay(sparing: spared) }
    guard bytes <= left else {
      throw StoreError(
        .noSpace,
        "\(bytes) bytes do not fit: of the budget of \(byteBudget), \(max(0, left)) are left "
          + "beside what sessions hold")
    }
    evict(downTo: byteBudget - bytes, sparing: spared, &index)
  }

  @discardableResult
  private func evict(
    downTo budget: Int64, sparing spared: String?, _ index: inout StoreIndex
  ) -> Int {
    let chosen = state.withLock { $0.evictable(downTo: budget, sparing: spared) }
    for digest in chosen { removeAsset(digest, &index) }
    state.withLock { $0.counters.evictions += chosen.count }
    return chosen.count
  }
}

extension Inspection {
  /// Of the first frame as a picture; `nil` in a document that is not to be trusted.
  var previewSize: PixelSize? {
    guard facts.displayWidth > 0, facts.displayHeight > 0 else { return nil }
    return PixelSize(width: facts.displayWidth, height: facts.displayHeight).limitedForPreview
  }
}
