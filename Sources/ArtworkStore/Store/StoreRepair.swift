package import ArtworkModel
import ArtworkPipeline
import Synchronization
internal import SystemPackage

extension AssetStore {
  /// Reads every file and mends or removes what is not as it should be. What an asset's folder says of itself is written
  /// anew, and pictures are drawn again when they are asked for. A video with wrong bytes goes, and comes from its source
  /// again. A lease gets the right bytes where they are here, and is released otherwise: its session asks again.
  ///
  /// - Returns: how many files were not as they should be.
  /// - Throws: `failed` for what cannot be mended; `no-space`.
  package func repair() async throws(StoreError) -> Int {
    try await onDisk { core throws(StoreError) in
      let problems = try StoreVerification(of: core.layout.root).problems
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
      // While the good videos are here.
      for path in paths(.lease) { try repairLease(path, badVideos: videos) }
      for digest in videos { try removeVideo(digest, &index) }
    }
  }

  /// Of the asset that a path lies in.
  private func digest(of path: FilePath) -> String {
    path.components.dropFirst(layout.assets.components.count).first?.string ?? ""
  }

  private func removePicture(_ path: FilePath) throws(StoreError) {
    DurableFiles.remove(path)
    try checkGone(path)
    state.withLock {
      $0.assets[digest(of: path)]?.forgetPreview(path.lastComponent?.string ?? "")
    }
  }

  /// From what the index knows; a folder that it does not know goes.
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
        artworks: names(of: digest)), of: digest)
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
      if badVideos.contains(lease.digest) || !relink(lease) { try takeAway(lease) }
    } else {
      // Of nobody who is known.
      throwAway(path)
      try checkGone(path)
    }
  }

  private func checkGone(_ path: FilePath) throws(StoreError) {
    if path.exists { throw StoreError(.failed, "\(path) cannot be removed") }
  }
}
