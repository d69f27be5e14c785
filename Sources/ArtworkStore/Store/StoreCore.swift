import ArtworkModel
import ArtworkPipeline
import Dispatch
internal import Logging
import Synchronization
internal import SystemPackage

/// The store without its waiting: every call does its work on the calling thread, which it blocks. Changes are made one
/// at a time, and each is on disk before it counts.
final class StoreCore: Sendable {
  let layout: StoreLayout
  let byteBudget: Int64
  let profile: Profile
  let logger: Logger
  /// Held while something changes; readers do not need it.
  let writing: Mutex<StoreIndex>
  let state: Mutex<StoreState>
  /// Goes with this object, which lets go of the store.
  private let lock: ProcessLock

  init(
    layout: StoreLayout, byteBudget: Int64, profile: Profile, logger: Logger, lock: ProcessLock,
    index: StoreIndex, state: consuming StoreState
  ) {
    self.layout = layout
    self.byteBudget = byteBudget
    self.profile = profile
    self.logger = logger
    self.lock = lock
    writing = Mutex(index)
    self.state = Mutex(state)
  }

  // MARK: Artworks

  func record(_ reference: ArtworkReference) -> StoreState.Artwork? {
    state.withLock { $0.artworks[reference] }
  }

  /// Where an artwork comes from; its video, if it is here, stays.
  ///
  /// - Parameter keepsKnown: one that stands for bytes keeps the source that it has.
  /// - Returns: the source that it has now, and that it had before.
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
      state.withLock { $0.artworks[reference] = artwork }
      return (source, former?.source)
    }
  }

  /// - Returns: `false` when there is none.
  func forget(_ reference: ArtworkReference) throws(StoreError) -> Bool {
    try change { index throws(StoreError) in
      let (isThere, leases) = state.withLock {
        ($0.artworks[reference] != nil, $0.leaseCount(reference))
      }
      if !isThere { return false }
      guard leases == 0 else {
        throw StoreError(
          .inUse,
          "\(reference) is published by \(leases) \(leases == 1 ? "session" : "sessions"); "
            + "end or replace \(leases == 1 ? "it" : "them") first")
      }
      // First: an index that is made again would find the name there, and may find it on other bytes then.
      if let digest = record(reference)?.digest {
        try keepNames(of: digest, with: nil, as: reference)
      }
      try write(&index, [.noArtwork(reference)])
      let digest = state.withLock { $0.artworks.removeValue(forKey: reference)?.digest }
      // Whose last name it was goes at once: nobody could ask for it.
      if let digest, !state.withLock({ $0.artworks.values.contains { $0.digest == digest } }) {
        removeAsset(digest, &index)
      }
      return true
    }
  }

  // MARK: Changes

  /// One change at a time.
  func change<R>(
    _ body: (inout StoreIndex) throws(StoreError) -> sending R
  ) throws(StoreError) -> sending R {
    try writing.withLock { index throws(StoreError) in try body(&index) }
  }

  /// Writes to the index. One that turns out to be damaged or gone is made again from what is in memory.
  func write(
    _ index: inout StoreIndex, _ changes: [StoreIndex.Change]
  ) throws(StoreError) {
    do throws(StoreError) {
      try index.write(changes)
    } catch {
      guard error.code == .damaged else { throw error }
      logger.error("the index is damaged and made again", metadata: ["error": "\(error)"])
      let (artworks, assets) = state.withLock { ($0.artworks, $0.assets) }
      StoreIndex.setAside(layout.index)
      index = try StoreIndex.open(layout.index)
      var all: [StoreIndex.Change] = artworks.map { .artwork($0, $1) }
      for (digest, asset) in assets {
        guard let document = assetDocument(digest) else { continue }
        all.append(.asset(digest, asset, document.inspection))
      }
      try index.write(all + changes)
    }
  }

  /// Takes note of a use. The index hears of many at once: what a crash forgets is only who was used last.
  func touch(_ digest: String, preview: String? = nil) {
    if state.withLock({ $0.use(digest, preview: preview) }) { writeUsesSoon() }
  }

  /// Whoever uses something does not wait for the disk.
  func writeUsesSoon() { DispatchQueue.global().async { self.writeUses() } }

  func writeUses() {
    let changes = state.withLock { state in
      state.takeUnwrittenUses().map { StoreIndex.Change.use($0, $1) }
    }
    do throws(StoreError) {
      try change { index throws(StoreError) in try write(&index, changes) }
    } catch {
      logger.warning("cannot note what was used last", metadata: ["error": "\(error)"])
    }
  }

  // MARK: Facts

  func assetDocument(_ digest: String) -> AssetDocument? {
    let path = layout.asset(digest).appending(StoreLayout.assetFile)
    return Candidate(path: path).contents(atMost: 1 << 24).flatMap {
      StoreFormat.document(AssetDocument.self, $0)
    }
  }

  /// The inspection of a video that is here.
  func inspection(_ digest: String) -> Inspection? {
    let index = writing.withLock { $0 }
    if let inspection = try? index.inspection(digest) { return inspection }
    return assetDocument(digest)?.inspection
  }

  func broken(_ inspection: Inspection, as key: ArtworkKey) -> [String] {
    Rules.judge(inspection, key: key, profile: profile).findings
      .filter { $0.severity == .error }.map(\.rule)
  }

  /// Judges what a session publishes and is here, so that nobody who asks what is shown waits for it.
  func judge(_ artwork: [ArtworkKey: ArtworkID]) {
    for (key, artworkID) in artwork {
      if let digest = present(ArtworkReference(artworkID, key)) { _ = broken(digest, as: key) }
    }
  }

  /// Rules whose breach is an error for the profile, of a video that is here; `nil` when it is not.
  func broken(_ digest: String, as key: ArtworkKey) -> [String]? {
    switch state.withLock({ state in state.assets[digest].map { $0.broken[key] } }) {
    case nil: return nil
    case .some(let known?): return known
    case .some(nil):
      guard let inspection = inspection(digest) else { return nil }
      let broken = broken(inspection, as: key)
      state.withLock { $0.assets[digest]?.broken[key] = broken }
      return broken
    }
  }
}
