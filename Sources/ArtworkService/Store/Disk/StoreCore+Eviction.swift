import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
internal import SystemPackage

extension StoreCore {
  /// Evicts the least recently used videos without a lease, down to `budget` bytes.
  ///
  /// - Returns: the number of videos evicted.
  @discardableResult
  func evict(downTo budget: Int64) throws(StoreError) -> Int {
    try change { index throws(StoreError) in evict(downTo: budget, sparing: nil, &index) }
  }

  /// Removes a video with its previews. A row that stays in the index is removed when the store is opened.
  func removeAsset(_ digest: String, _ index: inout StoreIndex) {
    throwAway(layout.asset(digest))
    state.withLock { $0.removeAsset(digest) }
    do throws(StoreError) {
      try write(&index, [.noAsset(digest)])
    } catch {
      logger.warning(
        "an evicted video stays in the index until the next start", metadata: ["error": "\(error)"])
    }
  }

  /// Removes a folder at once for all readers, by a rename into `incoming`, which is emptied when the store is opened.
  ///
  /// - Returns: `false` when the folder is still in its place.
  @discardableResult
  func throwAway(_ folder: FilePath) -> Bool {
    let temporary = layout.temporaryPath()
    guard (try? DurableFiles.rename(folder, to: temporary)) != nil else {
      return DurableFiles.remove(folder)
    }
    DurableFiles.remove(temporary)
    return true
  }

  /// Evicts as many videos as necessary; none if that would not be enough.
  func makeRoom(
    for bytes: Int64, _ index: inout StoreIndex, sparing spared: String? = nil
  ) throws(StoreError) {
    let left = byteBudget - state.withLock { $0.bytesToStay(sparing: spared) }
    guard bytes <= left else {
      throw StoreError(
        // With its type: Errno has a `noSpace` as well.
        StoreError.Code.noSpace,
        "\(bytes) bytes do not fit: sessions hold all but \(max(0, left)) bytes of the budget of "
          + "\(byteBudget)")
    }
    evict(downTo: byteBudget - bytes, sparing: spared, &index)
  }

  @discardableResult
  private func evict(
    downTo budget: Int64, sparing spared: String?, _ index: inout StoreIndex
  ) -> Int {
    let chosen = state.withLock { $0.evictable(downTo: budget, sparing: spared) }
    for digest in chosen {
      let names = names(of: digest)
      keepStill(of: digest)
      removeAsset(digest, &index)
      for name in names { evicted.withLock(\.self)?(name.reference) }
    }
    return chosen.count
  }
}
