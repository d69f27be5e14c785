package import ArtworkModel
package import SystemPackage

/// Brings videos that lie on the web.
package protocol ArtworkFetcher: Sendable {
  /// Whether `url` may be fetched, by its spelling alone: nothing is looked up.
  ///
  /// - Throws: `source-not-allowed`.
  func check(_ url: String) throws(StoreError)

  /// Writes what lies at `url` into `file`, which is open and empty. Stops when its task is cancelled.
  ///
  /// - Throws: `source-not-allowed`, also for where it is redirected to; `source-unavailable` for every failure
  ///   on the way, for more than `byteLimit` bytes and for being too slow.
  func fetch(_ url: String, into file: FileDescriptor, byteLimit: Int64) async throws(StoreError)
}
