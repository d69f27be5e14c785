import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

/// Players run as the same user, so any of them can write to any file of the store. A file is sound when its bytes have
/// the digest that it is stored under. Its stamp shows that nobody has written to it since that was verified.
extension StoreCore {
  /// Whether a stored video is as it was when its bytes were last known to be right. Reads only the file's status.
  func isUntouched(_ digest: String) -> Bool {
    guard let asset = state.withLock({ $0.assets[digest] }), let stamp = asset.stamp else {
      return false
    }
    return FileStamp(of: layout.asset(digest).appending(asset.file)) == stamp
  }

  /// Returns whether the file of a lease is untouched, like ``isUntouched(_:)``.
  func isUntouched(_ lease: Lease) -> Bool {
    guard let stamp = state.withLock({ $0.leaseStamps[lease.key] }) else { return false }
    return FileStamp(of: lease.file) == stamp
  }

  /// Whether a stored video has its bytes. Reads all of them unless it is untouched.
  func isSound(_ digest: String) -> Bool {
    if isUntouched(digest) { return true }
    guard let asset = state.withLock({ $0.assets[digest] }) else { return false }
    let seen = Self.verify(layout.asset(digest).appending(asset.file), digest)
    state.withLock { $0.assets[digest]?.stamp = seen.stamp }
    return seen.isSound
  }

  /// Returns whether the file of a lease is sound, like ``isSound(_:)-(String)``.
  func isSound(_ lease: Lease) -> Bool {
    if isUntouched(lease) { return true }
    let seen = Self.verify(lease.file, lease.digest)
    state.withLock { state in
      if state.leases[lease.key] == lease { state.leaseStamps[lease.key] = seen.stamp }
    }
    return seen.isSound
  }

  /// Reads a file and compares its digest.
  ///
  /// - Returns: whether it has the bytes of the digest, and the stamp by which a later change will show, if one will.
  static func verify(_ path: FilePath, _ digest: String) -> (isSound: Bool, stamp: FileStamp?) {
    let (stamp, now) = (FileStamp(of: path), Duration.sinceEpoch)
    guard let stamp, StagedVideo.digest(of: path) == digest else { return (false, nil) }
    let isSettled = stamp.isSettled(at: now) && FileStamp(of: path) == stamp
    return (true, isSettled ? stamp : nil)
  }

  /// Returns the result of ``isSound(_:)-(String)``. Removes a stored video whose bytes have changed, so that it is
  /// brought from its source again. No change waits while it is read.
  func isSoundOrRemoved(_ digest: String) throws(StoreError) -> Bool {
    guard let path = file(digest) else { return false }
    let before = FileState(of: path)
    if isSound(digest) { return true }
    try change { index throws(StoreError) in
      // Another one may have taken its place.
      guard isStored(digest), FileState(of: path) == before else { return }
      noteRepair(
        "another program has changed or removed a stored video, which is brought from its source again",
        ["digest": "\(digest)"])
      removeAsset(digest, &index)
    }
    return false
  }
}

extension AssetStore {
  /// Prepares like ``prepare(_:)``, and brings a video that another program has written to from its source
  /// again.
  @discardableResult
  func prepareVideo(_ reference: ArtworkReference) async throws(StoreError) -> String {
    for _ in 0..<3 {
      let digest = try await prepare(reference)
      if try await isSound(digest) { return digest }
    }
    throw StoreError.evictedAtOnce(reference)
  }

  /// Whether a stored video has its bytes. One that has not is removed.
  func isSound(_ digest: String) async throws(StoreError) -> Bool {
    if core.isUntouched(digest) { return true }
    guard core.isStored(digest) else { return false }
    // Callers share one reading.
    return try await readings.value(for: digest) {
      [core, disk] () async throws(StoreError) in
      try await disk.run { _ throws(StoreError) in try core.isSoundOrRemoved(digest) }
    }
  }

  /// A lease, if its file has the right bytes.
  func soundLease(_ key: StoreState.LeaseKey) async throws(StoreError) -> Lease? {
    guard let lease = core.lease(key) else { return nil }
    if core.isUntouched(lease) { return lease }
    let isSound = try await disk.run { [core] _ throws(StoreError) in core.isSound(lease) }
    return isSound ? lease : nil
  }
}
