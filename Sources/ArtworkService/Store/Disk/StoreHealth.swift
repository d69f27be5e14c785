package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

/// Whether the store can work.
extension AssetStore {
  /// What was seen last.
  struct Health: Sendable {
    var time: Duration
    var failure: StoreError?
  }

  /// Makes folders and an index again that another program has removed, writes a file and reads the index. Checks at most
  /// once a second.
  ///
  /// - Throws: `no-space` on a full disk; `late` when the disk does not answer within two seconds; `failed`, `damaged`.
  package func checkHealth() async throws(StoreError) {
    let failure = await Deadline.first(of: Self.healthTimeout) { [self] () -> StoreError? in
      do throws(StoreError) {
        return try await onDisk { [self] core throws(StoreError) in seenHealth(core) }
      } catch {
        return error
      }
    }
    switch failure {
    case nil: throw StoreError(.late, "the store's disk does not answer")
    case .some(let failure?): throw failure
    case .some(nil): break
    }
  }

  /// Damaged files that were repaired since the store was opened, each with a line in the log.
  package var repairs: Int { core.repairs.load(ordering: .relaxed) }

  private static let healthTimeout: Duration = .seconds(2)

  private func seenHealth(_ core: StoreCore) -> StoreError? {
    let time = options.now()
    if let last = health.withLock(\.self), time - last.time < .seconds(1) { return last.failure }
    var failure: StoreError?
    do throws(StoreError) { try core.checkHealth() } catch { failure = error }
    health.withLock { $0 = Health(time: time, failure: failure) }
    return failure
  }
}

extension StoreCore {
  fileprivate func checkHealth() throws(StoreError) {
    for folder in [layout.assets, layout.leases, layout.incoming] {
      do throws(Errno) { try DurableFiles.makeFolder(folder) } catch {
        throw StoreError(error, "use \(folder)")
      }
    }
    let probe = layout.temporaryPath()
    defer { DurableFiles.remove(probe) }
    do throws(Errno) { try DurableFiles.allocate(probe, 4096) } catch {
      throw StoreError(error, "write to \(layout.root)")
    }
    try change { index throws(StoreError) in
      if !layout.index.exists {
        noteRepair("another program has removed the index, which is rebuilt")
        try rebuild(&index, [])
      }
      try index.check()
    }
  }
}
