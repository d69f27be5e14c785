import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

extension StoreCore {
  func lease(_ session: SessionReference, _ reference: ArtworkReference) -> Lease? {
    state.withLock { $0.leases[StoreState.LeaseKey(session: session, reference: reference)] }
  }

  /// Gives a session its own link to an artwork's video, or the link that it has.
  ///
  /// - Returns: `nil` when the video is not stored.
  /// - Throws: `no-space`, `failed`.
  func acquire(
    _ session: SessionReference, _ reference: ArtworkReference, owner: SessionOwner
  ) throws(StoreError) -> Lease? {
    try change { index throws(StoreError) in
      if let lease = lease(session, reference) {
        if lease.opens { return lease }
        // Another program has removed or truncated it.
        try takeAway(lease)
      }
      guard let digest = present(reference), let asset = state.withLock({ $0.assets[digest] })
      else { return nil }
      let (token, staged) = (StoreLayout.token(), layout.spare())
      let place = layout.leases.appending(token)
      let document = LeaseDocument(
        session: session.id, application: session.application, artworkID: reference.artworkID,
        key: reference.key, digest: digest, bytes: asset.videoBytes, file: asset.file, owner: owner)
      do throws(Errno) {
        try DurableFiles.makeFolder(staged)
        try DurableFiles.link(
          layout.asset(digest).appending(asset.file), to: staged.appending(asset.file))
        try DurableFiles.create(staged.appending(StoreLayout.leaseFile), try bytes(document))
        try DurableFiles.syncFolder(staged)
        try DurableFiles.rename(staged, to: place)
        try DurableFiles.syncFolder(layout.leases)
      } catch {
        DurableFiles.remove(staged)
        throwAway(place)
        if error == .noSuchFileOrDirectory {
          // Another program has removed the video: treated like an eviction.
          logger.error("another program has removed a video", metadata: ["digest": "\(digest)"])
          removeAsset(digest, &index)
          return nil
        }
        throw StoreError(error, "lease \(reference)")
      }
      let lease = Lease(
        session: session, reference: reference, digest: digest, bytes: asset.videoBytes,
        file: place.appending(asset.file), owner: owner)
      state.withLock { state in
        state.add(lease)
        state.use(digest)
      }
      return lease
    }
  }

  /// Gives a lease to a session: older versions did not record which application it belongs to.
  func assign(_ lease: Lease, to session: SessionReference) throws(StoreError) {
    try change { _ throws(StoreError) in
      let folder = lease.file.removingLastComponent()
      var assigned = lease
      assigned.session = session
      do throws(Errno) {
        try DurableFiles.replace(
          folder.appending(StoreLayout.leaseFile), try bytes(LeaseDocument(assigned)),
          spare: layout.spare())
      } catch {
        throw StoreError(error, "assign a lease")
      }
      state.withLock { state in
        state.removeLease(.init(session: lease.session, reference: lease.reference))
        state.add(assigned)
      }
    }
  }

  /// Removes a session's link.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func release(_ session: SessionReference, _ reference: ArtworkReference) throws(StoreError)
    -> Bool
  {
    try change { _ throws(StoreError) in
      guard let lease = lease(session, reference) else { return false }
      try takeAway(lease)
      return true
    }
  }

  /// Restores a lease's link if the store has the video.
  func relink(_ lease: Lease) -> Bool {
    Self.relink(lease, state.withLock { $0.assets[lease.digest] }, layout)
  }

  /// - Parameter asset: the leased video.
  static func relink(_ lease: Lease, _ asset: StoreState.Asset?, _ layout: StoreLayout) -> Bool {
    DurableFiles.remove(lease.file)
    guard let asset else { return false }
    let video = layout.asset(lease.digest).appending(asset.file)
    return (try? DurableFiles.link(video, to: lease.file)) != nil
  }

  func takeAway(_ lease: Lease) throws(StoreError) {
    let folder = lease.file.removingLastComponent()
    guard throwAway(folder) else {
      throw StoreError(.failed, "cannot remove the lease \(folder)")
    }
    state.withLock {
      $0.removeLease(StoreState.LeaseKey(session: lease.session, reference: lease.reference))
    }
  }
}
