import ArtworkModel
import ArtworkPipeline
import Logging
import SystemPackage

extension StoreCore {
  /// Opens the store and mends what a crash left: empties `incoming`, makes index and folders agree, and finds
  /// the leases.
  ///
  /// - Throws: `locked` when another process has it; `failed`, `no-space`.
  static func open(
    _ root: FilePath, byteBudget: Int64, profile: Profile, logger: Logger
  ) throws(StoreError) -> StoreCore {
    let layout = StoreLayout(root: root)
    do throws(Errno) {
      try AtomicFile.makeFolder(root.removingLastComponent())
      for folder in [root, layout.assets, layout.leases, layout.incoming] {
        try DurableFiles.makeFolder(folder)
      }
    } catch {
      throw StoreError(error, "use \(root) as a store")
    }
    let lock = try takeLock(layout)
    for name in names(in: layout.incoming) {
      DurableFiles.remove(layout.incoming.appending(name))
    }
    var index = try StoreIndex.open(layout.index)
    var (state, changes): (StoreState, [StoreIndex.Change])
    do throws(StoreError) {
      (state, changes) = try reconcile(index, layout, logger)
    } catch {
      guard error.code == .damaged else { throw error }
      logger.error("the index is damaged and made again", metadata: ["error": "\(error)"])
      StoreIndex.setAside(layout.index)
      index = try StoreIndex.open(layout.index)
      (state, changes) = try reconcile(index, layout, logger)
    }
    try index.write(changes)
    state.continueUses()
    for lease in leases(layout, state, logger) { state.add(lease) }
    return StoreCore(
      layout: layout, byteBudget: byteBudget, profile: profile, logger: logger, lock: lock,
      index: index, state: state)
  }

  private static func takeLock(_ layout: StoreLayout) throws(StoreError) -> ProcessLock {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(layout.lock)
    } catch {
      switch error {
      case .system(let reason): throw StoreError(reason, "lock \(layout.root)")
      case .heldBy(let process):
        let holder = process.map { "process \($0)" } ?? "another process"
        throw StoreError(.locked, "\(holder) has the store \(layout.root)")
      }
    }
  }

  static func names(in folder: FilePath) -> [FilePath.Component] {
    (try? DurableFiles.names(in: folder)) ?? []
  }

  /// What the folders say, with what only the index knows.
  private static func reconcile(
    _ index: StoreIndex, _ layout: StoreLayout, _ logger: Logger
  ) throws(StoreError) -> (StoreState, [StoreIndex.Change]) {
    var state = StoreState()
    var changes: [StoreIndex.Change] = []
    var indexed: [String: StoreState.Asset]
    do {
      state.artworks = try index.artworks()
      indexed = try index.assets()
    } catch {
      throw StoreError(database: error, "read the index")
    }
    for name in names(in: layout.assets) {
      let (digest, folder) = (name.string, layout.assets.appending(name))
      guard let found = asset(in: folder, indexed[digest]) else {
        logger.warning("a damaged asset is removed", metadata: ["asset": "\(digest)"])
        DurableFiles.remove(folder)
        continue
      }
      state.assets[digest] = found.asset
      indexed[digest] = nil
      guard let document = found.document else { continue }
      changes.append(.asset(digest, found.asset, document.inspection))
      for name in document.artworks where state.artworks[name.reference]?.digest == nil {
        let artwork = StoreState.Artwork(source: name.source, digest: digest)
        state.artworks[name.reference] = artwork
        changes.append(.artwork(name.reference, artwork))
      }
    }
    changes += indexed.keys.map { .noAsset($0) }
    // Nobody can ask for what no artwork stands for.
    let named = Set(state.artworks.values.compactMap(\.digest))
    for digest in state.assets.keys where !named.contains(digest) {
      DurableFiles.remove(layout.asset(digest))
      state.assets[digest] = nil
      changes.append(.noAsset(digest))
    }
    return (state, changes)
  }

  /// - Parameter indexed: what the index says.
  /// - Returns: `nil` for no asset; with the document when the index does not know it.
  static func asset(
    in folder: FilePath, _ indexed: StoreState.Asset?
  ) -> (asset: StoreState.Asset, document: AssetDocument?)? {
    var previews: [String: Int64] = [:]
    for name in names(in: folder) where name.extension == "png" {
      previews[name.string] = FileState(of: folder.appending(name))?.size
    }
    func hasVideo(_ file: String, _ bytes: Int64) -> Bool {
      FileState(of: folder.appending(file))?.size == bytes
    }
    if var asset = indexed {
      asset.previews = previews
      return hasVideo(asset.file, asset.videoBytes) ? (asset, nil) : nil
    }
    guard
      let bytes = Candidate(path: folder.appending(StoreLayout.assetFile)).contents(
        atMost: 1 << 24),
      let document = StoreFormat.document(AssetDocument.self, bytes),
      document.format == StoreFormat.current, hasVideo(document.file, document.bytes),
      let previewSize = document.inspection.previewSize
    else { return nil }
    let asset = StoreState.Asset(
      file: document.file, videoBytes: document.bytes,
      previewSize: previewSize, previews: previews, use: 0)
    return (asset, document)
  }

  /// All leases that there are. One whose link is gone gets it again from the store, where that has the video; else it
  /// is a lease all the same, which does not open until its session asks again, and goes with it.
  private static func leases(
    _ layout: StoreLayout, _ state: StoreState, _ logger: Logger
  ) -> [Lease] {
    names(in: layout.leases).compactMap { name in
      let folder = layout.leases.appending(name)
      guard let lease = lease(in: folder) else {
        logger.error("a lease cannot be read", metadata: ["folder": "\(folder)"])
        return nil
      }
      if !lease.opens, !relink(lease, state.assets[lease.digest], layout) {
        logger.error(
          "a leased video is lost",
          metadata: ["file": "\(lease.file)", "session": "\(lease.session)"])
      }
      return lease
    }
  }

  /// What a lease's folder says, whether or not its link is there.
  static func lease(in folder: FilePath) -> Lease? {
    let bytes = Candidate(path: folder.appending(StoreLayout.leaseFile)).contents(atMost: 1 << 16)
    guard let bytes, let document = StoreFormat.document(LeaseDocument.self, bytes),
      let file = FilePath.Component(document.file), file.kind == .regular
    else { return nil }
    return Lease(
      session: document.session, reference: document.reference, digest: document.digest,
      bytes: document.bytes, file: folder.appending(file), owner: document.owner)
  }
}
