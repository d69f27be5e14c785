package import ArtworkModel
import ArtworkPipeline
import Dispatch
internal import Logging
import Synchronization
internal import SystemPackage

/// The store's state and files. Every call blocks the calling thread while it works. Changes are made one at a time, and
/// each is on disk before it is visible.
final class StoreCore: Sendable {
  let layout: StoreLayout
  let byteBudget: Int64
  /// See ``LeaseFile/copyLimit``.
  let copyLimit: Int64
  let profile: Profile
  let logger: Logger
  /// Locked during a change. Readers do not lock it. Only ``AssetStore/repair()`` reads or copies a whole video under it.
  let writing: Mutex<StoreIndex>
  let state: Mutex<StoreState>
  let sessions: Mutex<SessionFile>
  /// Called with each artwork whose video was evicted, during that change.
  let evicted = Mutex<(@Sendable (ArtworkReference) -> Void)?>(nil)
  /// What was damaged and repaired since the store was opened.
  let repairs = Atomic(0)
  /// Released with this object.
  private let lock: ProcessLock

  init(
    layout: StoreLayout, byteBudget: Int64, copyLimit: Int64, profile: Profile, logger: Logger,
    lock: ProcessLock, index: StoreIndex, state: consuming StoreState
  ) {
    self.layout = layout
    self.byteBudget = byteBudget
    self.copyLimit = copyLimit
    self.profile = profile
    self.logger = logger
    self.lock = lock
    writing = Mutex(index)
    self.state = Mutex(state)
    sessions = Mutex(SessionFile(layout: layout))
  }

  /// Logs and counts the repair of a damaged file.
  func noteRepair(_ what: Logger.Message, _ metadata: Logger.Metadata = [:]) {
    logger.warning(what, metadata: metadata)
    repairs.add(1, ordering: .relaxed)
  }

  // MARK: Artworks

  func record(_ reference: ArtworkReference) -> StoreState.Artwork? {
    state.withLock { $0.artworks[reference] }
  }

  /// Registers the source of an artwork. Its stored video stays.
  ///
  /// - Parameter keepsKnown: whether an artwork that already stands for bytes keeps its source.
  /// - Returns: the artwork's source now, and the one before.
  @discardableResult
  func register(
    _ reference: ArtworkReference, _ source: ArtworkSource, keepsKnown: Bool = false
  ) throws(StoreError) -> (now: ArtworkSource, former: ArtworkSource?) {
    try change { index throws(StoreError) in
      let former = record(reference)
      var artwork = former ?? StoreState.Artwork(source: source)
      if keepsKnown, artwork.digest != nil { return (artwork.source, artwork.source) }
      artwork.source = source
      if let digest = artwork.digest { try keepNames(of: digest, with: artwork, as: reference) }
      try write(&index, [.artwork(reference, artwork)])
      state.withLock { state in
        state.artworks[reference] = artwork
        if former?.source != source { state.unseen[reference] = nil }
      }
      return (source, former?.source)
    }
  }

  /// Removes an artwork, and its video unless another artwork has the same.
  ///
  /// - Returns: `false` when the artwork is unknown.
  /// - Throws: `in-use` while it is leased.
  func forget(_ reference: ArtworkReference) throws(StoreError) -> Bool {
    try change { index throws(StoreError) in
      guard let digest = record(reference).map(\.digest) else { return false }
      let leases = state.withLock { $0.leaseCount(reference) }
      guard leases == 0 else { throw StoreError.inUse(reference, by: leases) }
      // First: a rebuilt index would find the name in the folder, perhaps on other bytes by then.
      if let digest { try keepNames(of: digest, with: nil, as: reference) }
      try write(&index, [.noArtwork(reference)])
      state.withLock { state in
        state.artworks[reference] = nil
        (state.unseen[reference], state.supplied[reference]) = (nil, nil)
      }
      // A video without an artwork is removed at once: no client could ask for it.
      if let digest, !state.withLock({ $0.artworks.values.contains { $0.digest == digest } }) {
        // Its renditions, unless somebody has put the same bytes under an ID.
        let made = state.withLock { state in
          state.stills.removeValue(for: digest)
          defer { state.renditions = state.renditions.filter { $0.key.digest != digest } }
          return Set(state.renditions.filter { $0.key.digest == digest }.values)
        }
        for digest in made where names(of: digest).isEmpty { removeAsset(digest, &index) }
        removeAsset(digest, &index)
      }
      return true
    }
  }

  // MARK: Changes

  /// Makes one change at a time.
  func change<R>(
    _ body: (inout StoreIndex) throws(StoreError) -> sending R
  ) throws(StoreError) -> sending R {
    try writing.withLock { index throws(StoreError) in try body(&index) }
  }

  /// Writes to the index. An index that turns out to be damaged or missing is rebuilt from memory.
  func write(
    _ index: inout StoreIndex, _ changes: [StoreIndex.Change]
  ) throws(StoreError) {
    do throws(StoreError) {
      try index.write(changes)
    } catch {
      guard error.code == .damaged else { throw error }
      noteRepair("the index is damaged and is rebuilt", ["error": "\(error)"])
      try rebuild(&index, changes)
    }
    SourceList.append(changes, to: layout.sources)
  }

  /// Writes a new index from memory.
  func rebuild(_ index: inout StoreIndex, _ changes: [StoreIndex.Change]) throws(StoreError) {
    let (artworks, assets) = state.withLock { ($0.artworks, $0.assets) }
    StoreIndex.quarantine(layout.index)
    index = try StoreIndex.open(layout.index)
    var all: [StoreIndex.Change] = artworks.map { .artwork($0, $1) }
    for (digest, asset) in assets {
      guard let document = assetDocument(digest) else { continue }
      all.append(.asset(digest, asset, document.inspection))
    }
    try index.write(all + changes)
  }

  /// Records a use. Uses are written in batches: a crash loses only the order of the last ones.
  func touch(_ digest: String) {
    if state.withLock({ $0.use(digest) }) { writeUsesSoon() }
  }

  /// Does not wait for the disk.
  func writeUsesSoon() { DispatchQueue.global().async { self.writeUses() } }

  func writeUses() {
    let changes = state.withLock { state in
      state.takeUnwrittenUses().map { StoreIndex.Change.use($0, $1) }
    }
    do throws(StoreError) {
      try change { index throws(StoreError) in try write(&index, changes) }
    } catch {
      logger.warning("cannot record the last uses", metadata: ["error": "\(error)"])
    }
  }

  // MARK: Facts

  func assetDocument(_ digest: String) -> AssetDocument? {
    // The index has all of it except the renditions.
    try? Self.document(in: layout.asset(digest))
  }

  /// The inspection of a stored video, from the description in its folder, or from the index where that is damaged.
  /// Waits for no change: the index is read through a connection of its own.
  func inspection(_ digest: String) -> Inspection? {
    if let document = assetDocument(digest) { return document.inspection }
    return try? StoreIndex.openToRead(layout.index).inspection(digest)
  }

  func rules(brokenBy inspection: Inspection, as key: ArtworkKey) -> StoreState.BrokenRules {
    let report = CandidateReport(judging: inspection, of: nil, as: key, for: [profile])
    return StoreState.BrokenRules(
      errors: report.brokenRules,
      warnings: report.findings.filter { $0.severity == .warning }.map(\.rule))
  }

  /// Judges the stored videos among `artwork`, so that a request for what is shown does not wait for that.
  func judge(_ artwork: [ArtworkKey: ArtworkID]) {
    for (key, artworkID) in artwork {
      if let digest = present(ArtworkReference(artworkID, key)) { _ = brokenRules(digest, as: key) }
    }
  }

  /// The rules of the profile that a stored video breaks as errors; `nil` when the video is not stored.
  func brokenRules(_ digest: String, as key: ArtworkKey) -> StoreState.BrokenRules? {
    switch state.withLock({ state in state.assets[digest].map { $0.brokenRules[key] } }) {
    case nil: return nil
    case .some(let known?): return known
    case .some(nil):
      guard let inspection = inspection(digest) else { return nil }
      let rules = rules(brokenBy: inspection, as: key)
      state.withLock { $0.assets[digest]?.brokenRules[key] = rules }
      return rules
    }
  }
}

extension StoreError {
  static func inUse(_ reference: ArtworkReference, by sessions: Int) -> StoreError {
    StoreError(
      .inUse,
      "\(reference) is published by \(sessions) \(sessions == 1 ? "session" : "sessions"); "
        + "end or replace \(sessions == 1 ? "it" : "them") first")
  }
}

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
  func adopt(
    _ staged: StagedVideo, _ inspection: Inspection, preview: [UInt8], as claim: Claim
  ) throws(StoreError) {
    let reference = claim.reference
    try change { index throws(StoreError) in
      if try assign(staged.digest, to: claim, &index) { return }
      let artwork = try updated(claim, staged.digest)
      var asset = try StoreState.Asset(staged, inspection, previewBytes: preview.count)
      do throws(StoreError) { try makeRoom(for: asset.bytes, &index) } catch {
        keepUnseenStill(staged.digest, inspection, preview, of: reference)
        throw error
      }
      do throws(Errno) {
        try DurableFiles.create(staged.folder.appending(StoreLayout.previewFile), preview)
      } catch {
        throw StoreError(error, "store a preview")
      }
      // Judged while the inspection is at hand, so that it is not read again for that.
      if let key = reference.key { asset.brokenRules[key] = rules(brokenBy: inspection, as: key) }
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
  func assign(_ digest: String, to claim: Claim) throws(StoreError) -> Bool {
    let isKnown = try change { index throws(StoreError) in
      try assign(digest, to: claim, &index)
    }
    if isKnown, let key = claim.reference.key { _ = brokenRules(digest, as: key) }
    return isKnown
  }

  private func assign(
    _ digest: String, to claim: Claim, _ index: inout StoreIndex
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

/// What the store does for sessions: their file and their leases.
extension StoreCore {
  /// The sessions of before, as far as they are readable; `nil` when there is no file.
  func readSessions() throws(StoreError) -> SessionRecord? {
    let read = try sessions.withLock { file throws(StoreError) in try file.read() }
    if let damaged = read?.damaged, damaged > 0 {
      noteRepair(
        "sessions.ndjson is damaged: the sessions of these lines are lost", ["lines": "\(damaged)"])
    }
    return read?.record
  }

  /// Writes the sessions. When a full disk has no room for them, not even the room that was kept, every video that nobody
  /// leases goes first.
  ///
  /// - Throws: `failed`, `no-space`.
  func write(_ record: SessionRecord) throws(StoreError) {
    try sessions.withLock { file throws(StoreError) in
      do throws(StoreError) {
        try file.write(record)
      } catch {
        guard error.code == .noSpace, try evict(downTo: 0) > 0 else { throw error }
        try file.write(record)
      }
    }
  }
}

extension AssetStore {
  /// The lease that a session has on an artwork. Does not read the disk.
  ///
  /// - Parameter rendition: the size of a rendition; `nil` for the video itself.
  package func lease(
    _ session: SessionReference, _ reference: ArtworkReference, rendition: PixelSize? = nil
  ) -> Lease? {
    core.lease(.init(session, reference, rendition))
  }

  /// The leases that a session has on an artwork, that on the video itself first.
  func leaseKeys(
    of session: SessionReference, _ reference: ArtworkReference
  ) -> [StoreState.LeaseKey] {
    core.state.withLock { $0.leases.keys }
      .filter { $0.session == session && $0.reference == reference }
      .sorted { ($0.rendition?.area ?? .max) > ($1.rendition?.area ?? .max) }
  }
}
