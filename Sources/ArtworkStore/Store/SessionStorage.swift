package import ArtworkModel
import Synchronization

/// What the store does for sessions: their file, their leases, and judgements of the artwork that they publish. Exists
/// only on the thread on which files change; see ``AssetStore/changeSessions(_:)``.
struct SessionStorage {
  private let core: StoreCore
  private var file: SessionFile { SessionFile(layout: core.layout) }

  fileprivate init(_ core: StoreCore) { self.core = core }

  /// The sessions of before; `nil` when there is no readable file.
  func readRecord() -> SessionRecord? { file.read() }

  /// Replaces the file of the sessions. When a full disk has no room for it, not even the room that was kept, every video
  /// that nobody leases goes first.
  ///
  /// - Throws: `failed`, `no-space`.
  func write(_ record: SessionRecord) throws(StoreError) {
    do throws(StoreError) {
      try file.write(record)
    } catch {
      guard error.code == .noSpace, try core.evict(downTo: 0) > 0 else { throw error }
      try file.write(record)
    }
  }

  /// Judges the stored videos among `artwork`, so that a request for what is shown does not wait for that.
  func judge(_ artwork: [ArtworkKey: ArtworkID]) { core.judge(artwork) }

  /// All leases, by session and artwork.
  var leaseKeys: [StoreState.LeaseKey] { core.state.withLock { Array($0.leases.keys) } }

  /// Gives a session its own file with an artwork's video.
  ///
  /// - Returns: the lease, and the one that the session had before; the same lease when that one still has its bytes. `nil` when
  ///   the video is not stored.
  /// - Throws: `no-space`, `failed`.
  func acquireLease(
    _ key: StoreState.LeaseKey, owner: SessionOwner
  ) throws(StoreError) -> (lease: Lease?, former: Lease?) {
    let former = core.lease(key)
    return (try core.acquire(key, owner: owner), former)
  }

  /// Gives the leases that older versions recorded without an application to the sessions that `session` finds.
  func assignLeases(
    to session: (SessionReference) -> SessionReference?
  ) throws(StoreError) {
    for (key, lease) in core.state.withLock({ $0.leases }) {
      guard let owner = session(key.session), owner != key.session else { continue }
      try core.assign(lease, to: owner)
    }
  }

  func releaseLease(_ key: StoreState.LeaseKey) throws(StoreError) {
    try core.release(key)
  }
}

extension AssetStore {
  /// Runs `body` on the thread on which files change, so that sessions and leases change one at a time. Not cancelled
  /// with the caller.
  func changeSessions<R: Sendable>(
    _ body: @escaping @Sendable (SessionStorage) throws(StoreError) -> R
  ) async throws(StoreError) -> R {
    try await onDisk { core throws(StoreError) in try body(SessionStorage(core)) }
  }

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
