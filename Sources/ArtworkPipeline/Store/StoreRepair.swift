import Synchronization
internal import SystemPackage

extension ArtworkStore {
  /// Reads every file and removes what is not as it should be. An artwork whose video goes is fetched again; a lease
  /// gets the right bytes where they are here, and is released otherwise: its session asks again.
  ///
  /// - Returns: how many videos and leases there were.
  /// - Throws: `failed`.
  public func repair() async throws(StoreError) -> Int {
    try await onDisk { core throws(StoreError) in
      let found = try StoreVerification(of: core.layout.root)
      try core.repair(found.folders)
      return found.folders.count
    }
  }
}

extension StoreCore {
  fileprivate func repair(_ folders: Set<FilePath>) throws(StoreError) {
    try change { index throws(StoreError) in
      let (assets, leases) = state.withLock { state in
        (
          state.assets.keys.filter { folders.contains(layout.asset($0)) },
          state.leases.values.filter { folders.contains($0.file.removingLastComponent()) }
        )
      }
      for digest in assets { removeAsset(digest, &index) }
      for lease in leases where !relink(lease) { try takeAway(lease) }
      // What nobody knows.
      for folder in folders where !leases.contains(where: { $0.file.starts(with: folder) }) {
        throwAway(folder)
      }
    }
  }
}
