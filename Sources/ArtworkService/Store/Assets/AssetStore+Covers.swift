import ArtworkModel
import ArtworkPipeline
import Logging
import SystemPackage

/// Static covers. A cover is kept as a video is: its file, its picture as PNG, and its name by an artworkID. No session
/// leases one.
extension AssetStore {
  /// Registers the still that lies beside a video as the artwork's cover, unless it has one. The still is read when
  /// somebody asks for it.
  func registerCover(beside video: FilePath, of artworkID: ArtworkID) async {
    let cover = ArtworkReference(coverOf: artworkID)
    guard core.record(cover) == nil else { return }
    do throws(StoreError) {
      let found = try await disk.run { _ throws(StoreError) in
        FolderNames.cover(beside: video)
      }
      // A name that is not UTF-8 cannot be written in JSON.
      guard let found, let path = String(validating: found) else { return }
      try await onDisk { core throws(StoreError) in
        guard core.record(cover) == nil else { return }
        try core.register(cover, .file(path: path))
      }
      notifyChange(of: cover)
    } catch {
      logger.warning(
        "a cover beside a video is not registered", metadata: ["error": "\(error)"])
    }
  }

  /// Removes the cover of an artwork whose last variant was removed, unless a session publishes it.
  func removeCover(ofLast variant: ArtworkReference) async throws(StoreError) {
    let others = ArtworkKey.allCases.map { ArtworkReference(variant.artworkID, $0) }
    guard others.allSatisfy({ core.record($0) == nil }) else { return }
    do throws(StoreError) {
      _ = try await remove(ArtworkReference(coverOf: variant.artworkID))
    } catch {
      guard error.code == .inUse else { throw error }
    }
  }
}

extension StoreCore {
  /// Whether a stored file is a picture instead of a video.
  func isCover(_ digest: String) -> Bool {
    names(of: digest).contains { $0.reference.key == nil }
  }

  /// Refuses to take a stored picture for a video, and a stored video for a cover.
  func checkKind(_ reference: ArtworkReference, _ digest: String) throws(StoreError) {
    guard isStored(digest), isCover(digest) != (reference.key == nil) else { return }
    throw StoreError(
      .refused,
      reference.key == nil
        ? "the cover cannot be used: the file is a video"
        : "the video cannot be used: the file is a picture")
  }
}
