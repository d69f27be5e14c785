import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

extension StoreCore {
  func lease(_ key: StoreState.LeaseKey) -> Lease? { state.withLock { $0.leases[key] } }

  /// Makes the file that a session is to have, unless it has one, or the video is not stored. Reads and copies the whole video,
  /// and no change waits for that. Call ``commit(_:)`` or ``discard(_:)`` with the result.
  ///
  /// - Throws: `no-space`, `failed`.
  func prepareLease(
    _ key: StoreState.LeaseKey, owner: SessionOwner
  ) throws(StoreError) -> PreparedLease {
    var prepared = PreparedLease(key: key)
    if let lease = lease(key) {
      if isSound(lease) { return prepared }
      noteRepair("another program has changed a lease", ["file": "\(lease.file)"])
      prepared.hasRemoved = try change { _ throws(StoreError) in
        guard self.lease(key) == lease else { return false }
        try revoke(lease)
        return true
      }
    }
    guard let digest = present(key.reference, as: key.rendition),
      let asset = state.withLock({ $0.pin(digest) })
    else { return prepared }
    let (staged, video) = (layout.temporaryPath(), layout.asset(digest).appending(asset.file))
    var reserved: Int64 = 0
    defer { if prepared.made == nil { discard(staged, digest, reserved) } }
    let state = FileState(of: video)
    guard try isSoundOrRemoved(digest) else { return prepared }
    do throws(Errno) { try makeLeaseFolder(staged) } catch {
      throw StoreError(error, "lease \(key.reference)")
    }
    let making = try LeaseFile.make(
      staged.appending(asset.file), from: video, copyLimit: copyLimit,
      links: links(to: digest, at: video)
    ) { bytes throws(StoreError) in
      try change { index throws(StoreError) in
        try makeRoom(for: bytes, &index, sparing: digest)
        self.state.withLock { $0.reserve(bytes) }
      }
      reserved = bytes
    }
    let lease = Lease(
      session: key.session, reference: key.reference, digest: digest, bytes: asset.videoBytes,
      file: layout.leases.appending(StoreLayout.token()).appending(asset.file),
      rendition: key.rendition, making: making, owner: owner)
    prepared.made = PreparedLease.Made(
      lease: lease, video: video, state: state, staged: staged, reserved: reserved)
    return prepared
  }

  /// Gives a session the file that was made for it, unless the video has gone or changed meanwhile.
  ///
  /// - Returns: also whether the session had another file, or none, before.
  func commit(_ prepared: PreparedLease) throws(StoreError) -> (lease: Lease?, isNew: Bool) {
    try change { _ throws(StoreError) in
      defer { discard(prepared) }
      let present = lease(prepared.key)
      // Another request may have been quicker.
      guard present == nil, let made = prepared.made else { return (present, false) }
      return (try confirm(made), true)
    }
  }

  /// - Returns: `nil` when the video was evicted or written to meanwhile.
  private func confirm(_ made: PreparedLease.Made) throws(StoreError) -> Lease? {
    let (lease, staged) = (made.lease, made.staged)
    guard isStored(lease.digest), FileState(of: made.video) == made.state else { return nil }
    // Of a link, a change in the same tick of the clock would not show.
    let fileName = lease.file.lastComponent?.string ?? ""
    let stamp = lease.making == .link ? nil : FileStamp(of: staged.appending(fileName))
    let place = lease.file.removingLastComponent()
    do throws(Errno) {
      try writeLeaseFile(try bytes(LeaseDocument(lease, fileName, stamp)), in: staged)
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

  // MARK: On a full disk

  /// Records for which room is kept: players hold few leases at a time.
  private static let reserveCount = 8
  /// Bytes of a record; a block of the usual file systems.
  private static let reserveBytes = 4096

  /// Makes the folder of a lease; on a full disk, from the reserve, with a record that can be written over.
  private func makeLeaseFolder(_ staged: FilePath) throws(Errno) {
    do throws(Errno) {
      try DurableFiles.makeFolder(staged)
    } catch {
      guard error == .noSpace || error == .diskQuotaExceeded, let reserve = leaseReserve.first
      else { throw error }
      try DurableFiles.rename(reserve, to: staged)
    }
  }

  private func writeLeaseFile(_ bytes: [UInt8], in staged: FilePath) throws(Errno) {
    let file = staged.appending(StoreLayout.leaseFile)
    if !file.exists {
      do throws(Errno) {
        return try DurableFiles.create(file, bytes)
      } catch {
        guard error == .noSpace || error == .diskQuotaExceeded, let reserve = leaseReserve.first
        else { throw error }
        DurableFiles.remove(file)
        try DurableFiles.rename(reserve.appending(StoreLayout.leaseFile), to: file)
        DurableFiles.remove(reserve)
      }
    }
    // Spaces, which JSON allows at its end: a shorter file would give its room back.
    let padding = [UInt8](
      repeating: UInt8(ascii: " "), count: max(0, Self.reserveBytes - bytes.count))
    try DurableFiles.overwrite(file, bytes + padding)
  }

  private var leaseReserve: [FilePath] {
    let names = (try? DurableFiles.names(in: layout.leasesReserve)) ?? []
    return names.map { layout.leasesReserve.appending($0) }
      .filter { $0.appending(StoreLayout.leaseFile).exists }
  }

  /// Keeps room for the records of leases, as far as there is any.
  func keepLeaseReserve() {
    do throws(Errno) {
      try DurableFiles.makeFolder(layout.leasesReserve)
      for _ in leaseReserve.count..<max(leaseReserve.count, Self.reserveCount) {
        let folder = layout.temporaryPath()
        do throws(Errno) {
          try DurableFiles.makeFolder(folder)
          try DurableFiles.allocate(folder.appending(StoreLayout.leaseFile), Self.reserveBytes)
          try DurableFiles.rename(
            folder, to: layout.leasesReserve.appending(StoreLayout.token()))
        } catch {
          DurableFiles.remove(folder)
          throw error
        }
      }
    } catch {
      logger.info("no room is kept for leases", metadata: ["error": "\(error)"])
    }
  }

  /// Removes what is left of a file that was made.
  func discard(_ prepared: PreparedLease) {
    guard let made = prepared.made else { return }
    discard(made.staged, made.lease.digest, made.reserved)
  }

  private func discard(_ staged: FilePath, _ digest: String, _ reserved: Int64) {
    state.withLock { $0.unpin(digest, reserved: reserved) }
    if staged.exists { DurableFiles.remove(staged) }
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

  /// The number of leases that are hard links to a stored video. Those of one that was damaged and replaced are links to the
  /// old file.
  private func links(to digest: String, at video: FilePath) -> Int {
    guard let stored = FileState(of: video) else { return 0 }
    return state.withLock { $0.links(to: digest) }
      .count { FileState(of: $0)?.isSameFile(as: stored) == true }
  }

  /// Makes a lease's file again under its path, if the store has the video.
  func restore(_ lease: Lease) -> Bool {
    guard isSound(lease.digest), let video = file(lease.digest) else { return false }
    let (temporary, links) = (layout.temporaryPath(), links(to: lease.digest, at: video))
    defer { DurableFiles.remove(temporary) }
    do {
      var lease = lease
      lease.making = try LeaseFile.make(
        temporary, from: video, copyLimit: copyLimit, links: links, makeRoom: { _ in })
      // Whatever lies there instead.
      if !lease.opens { DurableFiles.remove(lease.file) }
      try DurableFiles.rename(temporary, to: lease.file)
      let stamp = lease.making == .link ? nil : FileStamp(of: lease.file)
      let document = LeaseDocument(lease, lease.file.lastComponent?.string ?? "", stamp)
      try DurableFiles.replace(
        lease.file.removingLastComponent().appending(StoreLayout.leaseFile),
        try StoreFormat.bytes(document), temporary: layout.temporaryPath())
      state.withLock { state in
        state.add(lease, stamp)
        if lease.making == .link { state.assets[lease.digest]?.stamp = nil }
      }
      return true
    } catch {
      return false
    }
  }

  func revoke(_ lease: Lease) throws(StoreError) {
    let folder = lease.file.removingLastComponent()
    guard throwAway(folder) else {
      throw StoreError(.failed, "cannot remove the lease \(folder)")
    }
    state.withLock { $0.removeLease(lease.key) }
    if leaseReserve.count < Self.reserveCount { keepLeaseReserve() }
  }
}
