package import ArtworkModel
internal import Logging
import Synchronization

/// What the store does for sessions: their file and their leases.
extension StoreCore {
  /// The sessions of before, as far as they are readable; `nil` when there is no file.
  func readSessions() throws(StoreError) -> SessionRecord? {
    let read = try sessions.withLock { file throws(StoreError) in try file.read() }
    if let damaged = read?.damaged, damaged > 0 {
      noteRepair(
        "sessions.ndjson is damaged: the sessions of these lines are lost", ["lines": "\(damaged)"])
    }
    return read?.record
  }

  /// Writes the sessions. When a full disk has no room for them, not even the room that was kept, every video that nobody
  /// leases goes first.
  ///
  /// - Throws: `failed`, `no-space`.
  func write(_ record: SessionRecord) throws(StoreError) {
    try sessions.withLock { file throws(StoreError) in
      do throws(StoreError) {
        try file.write(record)
      } catch {
        guard error.code == .noSpace, try evict(downTo: 0) > 0 else { throw error }
        try file.write(record)
      }
    }
  }
}

extension AssetStore {
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
