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
    try change { index throws(StoreError) in
      if let lease = lease(key) {
        if isSound(lease) { return lease }
        logger.warning("another program has changed a lease", metadata: ["file": "\(lease.file)"])
        try takeAway(lease)
      }
      guard let digest = present(key.reference, as: key.rendition) else { return nil }
      let made = try make(key, digest, owner, &index)
      if made == nil { removeChanged(digest, &index) }
      return made
    }
  }

  /// - Returns: `nil` when the stored video has wrong bytes, or was written to meanwhile.
  private func make(
    _ key: StoreState.LeaseKey, _ digest: String, _ owner: SessionOwner, _ index: inout StoreIndex
  ) throws(StoreError) -> Lease? {
    guard let asset = state.withLock({ $0.assets[digest] }) else { return nil }
    let video = layout.asset(digest).appending(asset.file)
    let before = FileState(of: video)
    guard isSound(digest) else { return nil }
    let (place, staged) = (layout.leases.appending(StoreLayout.token()), layout.spare())
    do throws(Errno) { try DurableFiles.makeFolder(staged) } catch {
      throw StoreError(error, "lease \(key.reference)")
    }
    var lease = Lease(
      session: key.session, reference: key.reference, digest: digest, bytes: asset.videoBytes,
      file: staged.appending(asset.file), rendition: key.rendition, making: nil, owner: owner)
    do throws(StoreError) {
      lease.making = try LeaseFile.make(
        lease.file, from: video, copyLimit: copyLimit,
        links: state.withLock { $0.linkCount(digest, to: video) }
      ) { bytes throws(StoreError) in try makeRoom(for: bytes, &index, sparing: digest) }
    } catch {
      DurableFiles.remove(staged)
      throw error
    }
    guard FileState(of: video) == before else {
      DurableFiles.remove(staged)
      return nil
    }
    // Of a link, a change in the same tick of the clock would not show.
    let stamp = lease.making == .link ? nil : FileStamp(of: lease.file)
    do throws(Errno) {
      try DurableFiles.create(
        staged.appending(StoreLayout.leaseFile),
        try bytes(LeaseDocument(lease, asset.file, stamp)))
      try DurableFiles.syncFolder(staged)
      try DurableFiles.makeFolder(layout.leases)
      try DurableFiles.rename(staged, to: place)
      try DurableFiles.syncFolder(layout.leases)
    } catch {
      DurableFiles.remove(staged)
      throwAway(place)
      throw StoreError(error, "lease \(key.reference)")
    }
    lease.file = place.appending(asset.file)
    state.withLock { state in
      state.add(lease, stamp)
      if lease.making == .link { state.assets[digest]?.stamp = nil }
      // What it was made of is in use, too.
      if let origin = state.origin(of: digest) { state.use(origin.digest) }
      state.use(digest)
    }
    return lease
  }

  /// Gives a lease to a session: older versions did not record which application it belongs to.
  func assign(_ lease: Lease, to session: SessionReference) throws(StoreError) {
    try change { _ throws(StoreError) in
      let folder = lease.file.removingLastComponent()
      var assigned = lease
      let stamp = state.withLock { $0.leaseStamps[lease.key] }
      assigned.session = session
      do throws(Errno) {
        try DurableFiles.replace(
          folder.appending(StoreLayout.leaseFile),
          try bytes(LeaseDocument(assigned, lease.file.lastComponent?.string ?? "", stamp)),
          spare: layout.spare())
      } catch {
        throw StoreError(error, "assign a lease")
      }
      state.withLock { state in
        state.removeLease(lease.key)
        state.add(assigned, stamp)
      }
    }
  }

  /// Removes a session's file.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func release(_ key: StoreState.LeaseKey) throws(StoreError) -> Bool {
    try change { _ throws(StoreError) in
      guard let lease = lease(key) else { return false }
      try takeAway(lease)
      return true
    }
  }

  /// Makes a lease's file again under its path, if the store has the video.
  func restore(_ lease: Lease) -> Bool {
    guard isSound(lease.digest), let asset = state.withLock({ $0.assets[lease.digest] }) else {
      return false
    }
    let video = layout.asset(lease.digest).appending(asset.file)
    let links = state.withLock { $0.linkCount(lease.digest, to: video) }
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
    let (spare, video) = (layout.spare(), layout.asset(lease.digest).appending(asset.file))
    defer { DurableFiles.remove(spare) }
    do {
      lease.making = try LeaseFile.make(
        spare, from: video, copyLimit: copyLimit, links: links, makeRoom: { _ in })
      // Whatever lies there instead.
      if !lease.opens { DurableFiles.remove(lease.file) }
      try DurableFiles.rename(spare, to: lease.file)
      let stamp = lease.making == .link ? nil : FileStamp(of: lease.file)
      let document = LeaseDocument(lease, lease.file.lastComponent?.string ?? asset.file, stamp)
      try DurableFiles.replace(
        lease.file.removingLastComponent().appending(StoreLayout.leaseFile),
        try StoreFormat.bytes(document), spare: layout.spare())
      return (lease, stamp)
    } catch {
      return nil
    }
  }

  func takeAway(_ lease: Lease) throws(StoreError) {
    let folder = lease.file.removingLastComponent()
    guard throwAway(folder) else {
      throw StoreError(.failed, "cannot remove the lease \(folder)")
    }
    state.withLock { $0.removeLease(lease.key) }
  }
}
