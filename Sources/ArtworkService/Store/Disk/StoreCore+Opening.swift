import ArtworkModel
import ArtworkPipeline
import Logging
import Synchronization
import SystemPackage

extension StoreCore {
  /// Opens the store and repairs what a crash left behind: empties `incoming`, makes the index agree with the folders, and
  /// finds the leases.
  ///
  /// - Throws: `locked` when another process uses the store; `failed` also for one of another ``StoreFormat``; `no-space`.
  static func open(
    _ root: FilePath, byteBudget: Int64, copyLimit: Int64 = LeaseFile.copyLimit,
    profile: Profile, logger: Logger
  ) throws(StoreError) -> StoreCore {
    let layout = StoreLayout(root: root)
    guard try !layout.isForeign() else {
      throw StoreError(
        .failed, "\(root) holds files that are no store: choose another folder with --store")
    }
    do throws(Errno) {
      try AtomicFile.makeFolder(root.removingLastComponent())
      for folder in [root, layout.assets, layout.leases, layout.incoming] {
        try DurableFiles.makeFolder(folder)
      }
      // It may have been there, for everybody.
      if !layout.index.exists { try DurableFiles.makePrivate(root) }
    } catch {
      throw StoreError(error, "use \(root) as a store")
    }
    let lock = try takeLock(layout)
    let former = FileState(of: layout.index)
    var index = try StoreIndex.open(layout.index)
    // A damaged index makes place for a new one.
    let isLost =
      former.map { FileState(of: layout.index)?.isSameFile(as: $0) != true }
      ?? layout.sources.exists
    for name in try names(in: layout.incoming) where StoreLayout.isMade(name) {
      DurableFiles.remove(layout.incoming.appending(name))
    }
    var repairs: [(Logger.Message, Logger.Metadata)] = []
    if isLost { repairs.append(("the index was lost or damaged and is rebuilt", [:])) }
    var (state, changes): (StoreState, [StoreIndex.Change])
    do throws(StoreError) {
      (state, changes) = try reconcile(index, layout, isLost: isLost, &repairs)
    } catch {
      guard error.code == .damaged else { throw error }
      repairs.append(("the index is damaged and is rebuilt", ["error": "\(error)"]))
      StoreIndex.quarantine(layout.index)
      index = try StoreIndex.open(layout.index)
      (state, changes) = try reconcile(index, layout, isLost: true, &repairs)
    }
    do throws(StoreError) {
      try index.write(changes)
    } catch {
      // The next start finds them again.
      guard error.code == .noSpace else { throw error }
      logger.warning("the index is brought up to date later", metadata: ["error": "\(error)"])
    }
    state.continueUses()
    let core = StoreCore(
      layout: layout, byteBudget: byteBudget, copyLimit: copyLimit, profile: profile,
      logger: logger, lock: lock, index: index, state: state)
    for (what, metadata) in repairs { core.noteRepair(what, metadata) }
    SourceList.replace(core.state.withLock(\.artworks), in: layout)
    try core.findLeases()
    core.keepLeaseReserve()
    return core
  }

  private static func takeLock(_ layout: StoreLayout) throws(StoreError) -> ProcessLock {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(layout.lock)
    } catch {
      switch error {
      case .system(let reason): throw StoreError(reason, "lock \(layout.root)")
      case .heldBy(let process):
        let holder = process.map { "process \($0)" } ?? "another process"
        throw StoreError(.locked, "\(holder) uses the store \(layout.root)")
      }
    }
  }

  /// What is in a folder; nothing where there is none.
  ///
  /// - Throws: `failed` for one that cannot be listed: whatever is in it must not count as gone.
  static func names(in folder: FilePath) throws(StoreError) -> [FilePath.Component] {
    do throws(Errno) {
      return try DurableFiles.names(in: folder)
    } catch .noSuchFileOrDirectory {
      return []
    } catch {
      throw StoreError(error, "list \(folder)")
    }
  }

  /// The state according to the folders, completed from the index, and the changes that the index needs.
  private static func reconcile(
    _ index: StoreIndex, _ layout: StoreLayout, isLost: Bool,
    _ repairs: inout [(Logger.Message, Logger.Metadata)]
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
    if isLost {
      state.artworks = try SourceList.read(layout.sources)
      changes = state.artworks.map { .artwork($0, $1) }
    }
    for name in try names(in: layout.assets) where StoreLayout.isMade(name) {
      let (digest, folder) = (name.string, layout.assets.appending(name))
      guard let found = try asset(in: folder, indexed[digest]) else {
        repairs.append(("removed a damaged asset", ["asset": "\(digest)"]))
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
    // A video without an artwork cannot be asked for, unless it is a rendition of one that has.
    let named = Set(state.artworks.values.compactMap(\.digest))
    for digest in state.assets.keys where !named.contains(digest) {
      let document = try document(in: layout.asset(digest))
      if let origin = document?.rendition, named.contains(origin.digest) {
        state.renditions[origin] = digest
        continue
      }
      DurableFiles.remove(layout.asset(digest))
      state.assets[digest] = nil
      changes.append(.noAsset(digest))
    }
    return (state, changes)
  }

  /// The bytes of a file of the store; `nil` where there is none, or none of this size.
  ///
  /// - Throws: `failed` for one that cannot be read now: it must not count as damaged.
  static func contents(of file: FilePath, atMost limit: Int) throws(StoreError) -> [UInt8]? {
    do throws(Errno) {
      return try file.contents(atMost: limit)
    } catch .noSuchFileOrDirectory, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels,
      .fileTooLarge
    {
      return nil
    } catch {
      throw StoreError(error, "read \(file)")
    }
  }

  /// The description in an asset's folder; `nil` where there is none that can be understood.
  ///
  /// - Throws: `failed` for one that cannot be read now, or of another ``StoreFormat``.
  static func document(in folder: FilePath) throws(StoreError) -> AssetDocument? {
    let bytes = try contents(of: folder.appending(StoreLayout.assetFile), atMost: 1 << 24)
    guard let bytes, let format = StoreFormat.format(bytes) else { return nil }
    try StoreFormat.check(format, of: folder.removingLastComponent().removingLastComponent())
    return StoreFormat.document(AssetDocument.self, bytes)
  }

  /// - Parameter indexed: the asset according to the index.
  /// - Returns: `nil` if the folder is not a valid asset; with the document if the asset is not in the index.
  static func asset(
    in folder: FilePath, _ indexed: StoreState.Asset?
  ) throws(StoreError) -> (asset: StoreState.Asset, document: AssetDocument?)? {
    let previewBytes = FileState(of: folder.appending(StoreLayout.previewFile))?.size ?? 0
    func hasVideo(_ file: String, _ bytes: Int64) -> Bool {
      FileState(of: folder.appending(file))?.size == bytes
    }
    if var asset = indexed {
      asset.previewBytes = previewBytes
      return hasVideo(asset.file, asset.videoBytes) ? (asset, nil) : nil
    }
    guard let document = try document(in: folder), hasVideo(document.file, document.bytes),
      let previewSize = document.inspection.previewSize
    else { return nil }
    let asset = StoreState.Asset(
      file: document.file, videoBytes: document.bytes, codec: document.inspection.facts.codec,
      container: document.inspection.facts.container, previewSize: previewSize,
      previewBytes: previewBytes, use: 0)
    return (asset, document)
  }

  /// Adds all leases. A file that is missing or has other bytes is made again if the store has the video. Otherwise the
  /// lease stays, but is not handed out: its session must ask again.
  private func findLeases() throws(StoreError) {
    for name in try Self.names(in: layout.leases) {
      let folder = layout.leases.appending(name)
      guard StoreLayout.isMade(name) else {
        // A player may have given its lease another name, under which it would stay for ever.
        let isLease = folder.appending(StoreLayout.leaseFile).exists
        if isLease { throwAway(folder) }
        if isLease {
          noteRepair("removed a lease that was renamed", ["path": "\(folder)"])
        } else {
          logger.warning("the store has not made this", metadata: ["path": "\(folder)"])
        }
        continue
      }
      guard let found = Self.lease(in: folder) else {
        logger.error("a lease cannot be read", metadata: ["folder": "\(folder)"])
        continue
      }
      state.withLock { $0.add(found.lease, found.stamp) }
    }
    for lease in state.withLock({ Array($0.leases.values) }) {
      // A hard link is read when it is handed out again.
      let isWhole = lease.making == .link ? lease.opens : isSound(lease)
      if isWhole { continue }
      if restore(lease) {
        noteRepair("a leased video was missing or damaged", ["file": "\(lease.file)"])
        continue
      }
      logger.error(
        "a leased video is lost",
        metadata: ["file": "\(lease.file)", "session": "\(lease.session)"])
    }
  }

  /// The lease that a folder describes, whether or not its file exists, and the stamp of the file by which its bytes are
  /// known to be right.
  static func lease(in folder: FilePath) -> (lease: Lease, stamp: FileStamp?)? {
    let bytes = Candidate(path: folder.appending(StoreLayout.leaseFile)).contents(atMost: 1 << 16)
    guard let bytes, let document = StoreFormat.document(LeaseDocument.self, bytes),
      let reference = document.reference,
      let file = FilePath.Component(document.file), file.kind == .regular
    else { return nil }
    let lease = Lease(
      session: SessionReference(document.application, document.session),
      reference: reference, digest: document.digest,
      bytes: document.bytes, file: folder.appending(file), rendition: document.rendition,
      making: document.making, owner: document.owner)
    return (lease, document.stamp)
  }
}
