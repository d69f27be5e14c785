package import ArtworkModel
import ArtworkPipeline
import Synchronization
internal import SystemPackage

extension AssetStore {
  /// Reads every file, and repairs or removes damaged ones. The description of an asset is written again, and previews are
  /// drawn again on request. A video with wrong bytes is removed, and brought from its source on the next request. A lease
  /// gets the right bytes if the store has them, and is released otherwise: its session must ask again.
  ///
  /// - Returns: the number of damaged files.
  /// - Throws: `failed` for a file that cannot be repaired or removed; `no-space`.
  package func repair() async throws(StoreError) -> Int {
    try await onDisk { core throws(StoreError) in
      let problems = try StoreVerification(filesOf: core.layout).problems
      try core.repair(problems)
      return problems.count
    }
  }
}

extension StoreCore {
  fileprivate func repair(_ problems: [StoreVerification.Problem]) throws(StoreError) {
    func paths(_ kind: StoreVerification.Kind) -> [FilePath] {
      problems.filter { $0.kind == kind }.map(\.path)
    }
    try change { index throws(StoreError) in
      for picture in paths(.picture) { try removePicture(picture) }
      for document in paths(.document) { try writeDocument(document, &index) }
      let videos = Set(paths(.video).map { digest(of: $0) })
      // Before the bad videos are removed.
      for path in paths(.lease) { try repairLease(path, badVideos: videos) }
      for digest in videos { try removeVideo(digest, &index) }
    }
  }

  /// The digest of the asset that a path is in.
  private func digest(of path: FilePath) -> String {
    path.components.dropFirst(layout.assets.components.count).first?.string ?? ""
  }

  private func removePicture(_ path: FilePath) throws(StoreError) {
    DurableFiles.remove(path)
    try checkGone(path)
    state.withLock { $0.assets[digest(of: path)]?.previewBytes = 0 }
  }

  /// Writes the description from the index; removes a folder that the index does not know.
  private func writeDocument(_ path: FilePath, _ index: inout StoreIndex) throws(StoreError) {
    let digest = digest(of: path)
    guard let asset = state.withLock({ $0.assets[digest] }),
      let inspection = try? index.inspection(digest)
    else {
      return try removeVideo(digest, &index)
    }
    try replace(
      AssetDocument(
        file: asset.file, bytes: asset.videoBytes, inspection: inspection,
        artworks: names(of: digest), rendition: state.withLock { $0.origin(of: digest) }),
      of: digest)
  }

  private func removeVideo(_ digest: String, _ index: inout StoreIndex) throws(StoreError) {
    removeAsset(digest, &index)
    try checkGone(layout.asset(digest))
  }

  private func repairLease(_ path: FilePath, badVideos: Set<String>) throws(StoreError) {
    let lease = state.withLock { state in
      state.leases.values.first { $0.file == path }
    }
    if let lease {
      if badVideos.contains(lease.digest) || !restore(lease) { try revoke(lease) }
    } else {
      // A lease whose session is unknown.
      throwAway(path)
      try checkGone(path)
    }
  }

  private func checkGone(_ path: FilePath) throws(StoreError) {
    if path.exists { throw StoreError(.failed, "\(path) cannot be removed") }
  }
}
