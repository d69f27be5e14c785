package import ArtworkModel
package import SystemPackage

/// Downloads videos.
package protocol ArtworkFetcher: Sendable {
  /// Checks whether `url` may be fetched, by its text alone: no name is looked up.
  ///
  /// - Throws: `source-not-allowed`.
  func check(_ url: String) throws(StoreError)

  /// Downloads `url` into `file`, which is open and empty. Stops when its task is cancelled.
  ///
  /// - Parameter isCrowded: whether other downloads wait for this one.
  /// - Throws: `source-not-allowed`, also for the target of a redirect; `source-unavailable` for every failure of the
  ///   transfer, for more than `byteLimit` bytes and for a timeout.
  func fetch(
    _ url: String, into file: FileDescriptor, byteLimit: Int64,
    isCrowded: @escaping @Sendable () -> Bool
  ) async throws(StoreError)
}
