import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

/// The file of a lease, made from the store's own.
enum LeaseFile {
  /// The most bytes that are copied, since a player waits for its copy: seconds for a gigabyte. Artwork of a usual length has
  /// a tenth of them.
  static let copyLimit: Int64 = 64 << 20

  /// Makes a file with the bytes of a video: by sharing its blocks where the file system can, else as a copy. What is
  /// larger than `copyLimit`, or does not fit, becomes a hard link that nobody may write to, unless the video has names
  /// outside of the store. A copy is not synced: it is compared with its digest after a restart of the system.
  ///
  /// - Parameters:
  ///   - links: leases that are hard links to the video.
  ///   - makeRoom: called with the bytes of a copy before it is made.
  /// - Throws: `no-space`, `failed`. Then nothing is at `target`.
  static func make(
    _ target: FilePath, from video: FilePath, copyLimit: Int64, links: Int,
    makeRoom: (Int64) throws(StoreError) -> Void
  ) throws(StoreError) -> Lease.Making {
    let source = try StagedVideo.reading(video)
    if try share(source, target) { return .reflink }
    // Another name is that of an immutable source, or a link that a player made of its own.
    let mayLink = source.names <= 1 + links
    if source.state.size <= copyLimit || !mayLink {
      do throws(StoreError) {
        try makeRoom(source.state.size)
        try copy(source, target)
        return .copy
      } catch {
        guard error.code == .noSpace, mayLink else { throw error }
      }
    }
    do throws(Errno) {
      try DurableFiles.link(video, to: target)
      try DurableFiles.makeReadOnly(target)
    } catch {
      DurableFiles.remove(target)
      throw StoreError(error, "link \(video)")
    }
    return .link
  }

  private static func share(_ source: SourceFile, _ target: FilePath) throws(StoreError) -> Bool {
    let file = try StagedVideo.created(target)
    defer { try? file.close() }
    if DurableFiles.shareBlocks(from: source.descriptor, to: file) { return true }
    DurableFiles.remove(target)
    return false
  }

  private static func copy(_ source: SourceFile, _ target: FilePath) throws(StoreError) {
    let file = try StagedVideo.created(target)
    defer { try? file.close() }
    do throws(Errno) { try DurableFiles.copy(source, to: file) } catch {
      DurableFiles.remove(target)
      throw StoreError(error, "copy \(target)")
    }
  }
}
