package import ArtworkModel
import ArtworkPipeline
import Synchronization
package import SystemPackage

extension AssetStore {
  /// The video's file, open for reading. Only a lease keeps the file itself in place.
  ///
  /// - Returns: a descriptor that the caller closes.
  /// - Throws: as ``prepare(_:)``.
  package func video(
    _ reference: ArtworkReference
  ) async throws(StoreError) -> (file: FileDescriptor, bytes: Int64, tag: String) {
    for _ in 0..<3 {
      let digest = try await prepareVideo(reference)
      guard let asset = core.state.withLock({ $0.assets[digest] }) else { continue }
      let path = core.layout.asset(digest).appending(asset.file)
      let file = try await reading { try? Folder.openNamed(path) }
      guard let file else { continue }
      core.touch(digest)
      return (file, asset.videoBytes, digest)
    }
    throw StoreError.evictedAtOnce(reference)
  }
}
