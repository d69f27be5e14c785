import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

extension StoreCore {
  func lease(_ key: StoreState.LeaseKey) -> Lease? { state.withLock { $0.leases[key] } }

  /// Gives a session a file of its own with an artwork's video, or the file that it has while that has the right bytes.
  ///
  /// - Returns: `nil` when the video is not stored, which it also ceases to be when its bytes turn out to be wrong.
  /// - Throws: `no-space`, `failed`.
  func acquire(
    _ key: StoreState.LeaseKey, owner: SessionOwner
  ) throws(StoreError) -> Lease? {
    try commit(try prepareLease(key, owner: owner)).lease
  }

  /// Makes the file that a session is to have, unless it has one. Reads and copies the whole video, and no change waits
  /// for that. Call ``commit(_:)`` or ``discard(_:)`` with the result.
  ///
  /// - Throws: `no-space`, `failed`.
  func prepareLease(
    _ key: StoreState.LeaseKey, owner: SessionOwner
  ) throws(StoreError) -> PreparedLease {
    var prepared = PreparedLease(key: key)
    if let lease = lease(key) {
      if isSound(lease) {
        prepared.content = .kept(lease)
        return prepared
      }
      logger.warning("another program has changed a lease", metadata: ["file": "\(lease.file)"])
      prepared.hasRemoved = try change { _ throws(StoreError) in
        guard self.lease(key) == lease else { return false }
        try revoke(lease)
        return true
      }
    }
    guard let digest = present(key.reference, as: key.rendition),
      let asset = state.withLock({ $0.pin(digest) })
    else { return prepared }
    let made = PreparedLease.Made(
      video: layout.asset(digest).appending(asset.file), staged: layout.temporaryPath(),
      lease: Lease(
        session: key.session, reference: key.reference, digest: digest, bytes: asset.videoBytes,
        file: layout.leases.appending(StoreLayout.token()).appending(asset.file),
        rendition: key.rendition, making: nil, owner: owner))
    prepared.content = .made(made)
    do throws(StoreError) {
      if try fill(&prepared, made) { return prepared }
    } catch {
      discard(prepared)
      throw error
    }
    discard(prepared)
    prepared.content = .none
    return prepared
  }

  /// - Returns: `false` when the stored video has wrong bytes.
  private func fill(
    _ prepared: inout PreparedLease, _ begun: PreparedLease.Made
  ) throws(StoreError) -> Bool {
    var made = begun
    let digest = made.lease.digest
    made.state = FileState(of: made.video)
    guard try isSoundOrRemoved(digest) else { return false }
    do throws(Errno) { try DurableFiles.makeFolder(made.staged) } catch {
      throw StoreError(error, "lease \(made.lease.reference)")
    }
    var reserved: Int64 = 0
    defer {
      made.reserved = reserved
      prepared.content = .made(made)
    }
    made.lease.making = try LeaseFile.make(
      made.staged.appending(made.fileName), from: made.video, copyLimit: copyLimit,
      links: Self.count(of: state.withLock { $0.links(to: digest) }, linkedTo: made.video)
    ) { bytes throws(StoreError) in
      try change { index throws(StoreError) in
        try makeRoom(for: bytes, &index, sparing: digest)
        state.withLock { $0.reserve(bytes) }
      }
      reserved = bytes
    }
    return true
  }

  /// Gives a session the file that was made for it, unless the video has gone or changed meanwhile.
  ///
  /// - Returns: also whether the session had another file, or none, before.
  func commit(_ prepared: PreparedLease) throws(StoreError) -> (lease: Lease?, isNew: Bool) {
    try change { _ throws(StoreError) in
      defer { discard(prepared) }
      let present = lease(prepared.key)
      // Another request may have been quicker.
      guard present == nil, case .made(let made) = prepared.content else { return (present, false) }
      return (try confirm(made), true)
    }
  }

  /// - Returns: `nil` when the video was evicted or written to meanwhile.
  private func confirm(_ made: PreparedLease.Made) throws(StoreError) -> Lease? {
    let (lease, staged) = (made.lease, made.staged)
    guard isStored(lease.digest), FileState(of: made.video) == made.state else { return nil }
    // Of a link, a change in the same tick of the clock would not show.
    let stamp = lease.making == .link ? nil : FileStamp(of: staged.appending(made.fileName))
    let place = lease.file.removingLastComponent()
    do throws(Errno) {
      try DurableFiles.create(
        staged.appending(StoreLayout.leaseFile),
        try bytes(LeaseDocument(lease, made.fileName, stamp)))
      try DurableFiles.syncFolder(staged)
      try DurableFiles.makeFolder(layout.leases)
      try DurableFiles.rename(staged, to: place)
      try DurableFiles.syncFolder(layout.leases)
    } catch {
      throwAway(place)
      throw StoreError(error, "lease \(lease.reference)")
    }
    state.withLock { state in
      state.add(lease, stamp)
      if lease.making == .link { state.assets[lease.digest]?.stamp = nil }
      // What it was made of is in use, too.
      if let origin = state.origin(of: lease.digest) { state.use(origin.digest) }
      state.use(lease.digest)
    }
    return lease
  }

  /// Removes what is left of a file that was made.
  func discard(_ prepared: PreparedLease) {
    guard case .made(let made) = prepared.content else { return }
    state.withLock { $0.unpin(made.lease.digest, reserved: made.reserved) }
    if made.staged.exists { DurableFiles.remove(made.staged) }
  }

  /// Removes a session's file.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func release(_ key: StoreState.LeaseKey) throws(StoreError) -> Bool {
    try change { _ throws(StoreError) in
      guard let lease = lease(key) else { return false }
      try revoke(lease)
      return true
    }
  }

  /// Counts the files that are the video. Those of a video that was damaged and replaced are links to the old one.
  static func count(of links: [FilePath], linkedTo video: FilePath) -> Int {
    guard let stored = FileState(of: video) else { return 0 }
    return links.count { FileState(of: $0)?.isSameFile(as: stored) == true }
  }

  /// Makes a lease's file again under its path, if the store has the video.
  func restore(_ lease: Lease) -> Bool {
    guard isSound(lease.digest), let asset = state.withLock({ $0.assets[lease.digest] }) else {
      return false
    }
    let video = layout.asset(lease.digest).appending(asset.file)
    let links = Self.count(of: state.withLock { $0.links(to: lease.digest) }, linkedTo: video)
    let restored = Self.restore(lease, asset, links: links, copyLimit: copyLimit, layout)
    if let restored {
      state.withLock { state in
        state.removeLease(lease.key)
        state.add(restored.lease, restored.stamp)
        if restored.lease.making == .link { state.assets[lease.digest]?.stamp = nil }
      }
    }
    return restored != nil
  }

  /// - Parameter asset: the leased video.
  static func restore(
    _ lease: Lease, _ asset: StoreState.Asset, links: Int, copyLimit: Int64, _ layout: StoreLayout
  ) -> (lease: Lease, stamp: FileStamp?)? {
    var lease = lease
    let (temporary, video) = (
      layout.temporaryPath(), layout.asset(lease.digest).appending(asset.file)
    )
    defer { DurableFiles.remove(temporary) }
    do {
      lease.making = try LeaseFile.make(
        temporary, from: video, copyLimit: copyLimit, links: links, makeRoom: { _ in })
      // Whatever lies there instead.
      if !lease.opens { DurableFiles.remove(lease.file) }
      try DurableFiles.rename(temporary, to: lease.file)
      let stamp = lease.making == .link ? nil : FileStamp(of: lease.file)
      let document = LeaseDocument(lease, lease.file.lastComponent?.string ?? asset.file, stamp)
      try DurableFiles.replace(
        lease.file.removingLastComponent().appending(StoreLayout.leaseFile),
        try StoreFormat.bytes(document), temporary: layout.temporaryPath())
      return (lease, stamp)
    } catch {
      return nil
    }
  }

  func revoke(_ lease: Lease) throws(StoreError) {
    let folder = lease.file.removingLastComponent()
    guard throwAway(folder) else {
      throw StoreError(.failed, "cannot remove the lease \(folder)")
    }
    state.withLock { $0.removeLease(lease.key) }
  }
}
