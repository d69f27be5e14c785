import ArtworkModel
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

  func brokenRules(_ inspection: Inspection, as key: ArtworkKey) -> StoreState.BrokenRules {
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
      let rules = brokenRules(inspection, as: key)
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
