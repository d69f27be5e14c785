import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// A complete video in a folder of its own in `incoming`, before it is published.
struct StagedVideo: Sendable {
  fileprivate let staging: StagingFolder
  let file: String
  /// Hexadecimal SHA-256.
  let digest: String
  let bytes: Int64
  /// The state of the file when the digest was computed; `nil` when it is a link to the source, which may change within a
  /// tick of the clock.
  private(set) var stamp: FileStamp?

  var folder: FilePath { staging.path }
  var path: FilePath { folder.appending(file) }

  /// Removes it now. Nobody else may be reading it.
  func remove() { DurableFiles.remove(folder) }

  /// Takes in a file of this machine: by sharing its blocks if the file system can, else by copying it. An immutable file
  /// on the same file system is hard-linked instead.
  ///
  /// - Throws: `source-unavailable` if it cannot be read, is not a regular file, is empty, is larger than `limit` or
  ///   changes meanwhile; `no-space`, `failed`; `late` when it is no longer wanted.
  static func create(
    _ path: FilePath, immutable: Bool, into layout: StoreLayout, limit: Int64,
    isCancelled: () -> Bool
  ) throws(StoreError) -> StagedVideo {
    let source: SourceFile
    do throws(OpenError) {
      source = try SourceFile(path)
    } catch {
      throw unavailable(path, error.reason)
    }
    guard source.state.size > 0 else { throw unavailable(path, "it is empty") }
    guard source.state.size <= limit else {
      throw unavailable(path, "it has \(source.state.size) bytes; at most \(limit) are accepted")
    }
    var isLinked = false
    var staged = try stage(StoreLayout.videoFile(extension: path.extension), in: layout) {
      (target: FilePath) throws(StoreError) in
      if immutable, (try? DurableFiles.link(path, to: target)) != nil {
        // Linked by name: it must be the file that was opened.
        guard FileState(of: target) == source.state else {
          throw unavailable(path, "it was replaced while it was read")
        }
        isLinked = true
        return try hash(source, isCancelled)
      }
      let copy = try created(target)
      defer { try? copy.close() }
      let digest =
        DurableFiles.shareBlocks(from: source.descriptor, to: copy)
        ? try hash(source, isCancelled) : try hash(source, copyingTo: copy, isCancelled)
      try synced(copy)
      return digest
    }
    guard source.isUnchanged else {
      throw unavailable(path, "it changed while it was read; PUT it again when it is complete")
    }
    if isLinked { staged.stamp = nil }
    return staged
  }

  private static func stage(
    _ file: String, in layout: StoreLayout,
    _ fill: (FilePath) throws(StoreError) -> String
  ) throws(StoreError) -> StagedVideo {
    let staging = try StagingFolder(in: layout)
    let path = staging.path.appending(file)
    let digest = try fill(path)
    return try StagedVideo(staging, file, digest)
  }

  fileprivate init(
    _ staging: StagingFolder, _ file: String, _ digest: String
  ) throws(StoreError) {
    let path = staging.path.appending(file)
    guard let stamp = FileStamp(of: path) else { throw StoreError(.failed, "\(path) is gone") }
    (self.staging, self.file, self.digest) = (staging, file, digest)
    bytes = stamp.state.size
    self.stamp = stamp
  }

  /// - Parameter copy: receives the bytes that are read.
  fileprivate static func hash(
    _ source: SourceFile, copyingTo copy: FileDescriptor? = nil, _ isCancelled: () -> Bool
  ) throws(StoreError) -> String {
    do {
      return try digest(source, copyingTo: copy, isCancelled).hexadecimal
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failed, "\(error)")
    }
  }

  private static func digest(
    _ source: SourceFile, copyingTo copy: FileDescriptor?, _ isCancelled: () -> Bool
  ) throws -> [UInt8] {
    var hash = try SHA256()
    var offset: Int64 = 0
    while true {
      guard !isCancelled() else { throw StoreError.cancelled }
      let bytes: [UInt8]
      do throws(Errno) {
        bytes = try source.read(at: offset)
      } catch {
        throw StoreError(
          .sourceUnavailable, "the file cannot be read: \(error.description.lowercased())",
          isOfLocalFile: true)
      }
      if bytes.isEmpty { break }
      try hash.update(bytes)
      offset += Int64(bytes.count)
      do {
        _ = try copy?.writeAll(bytes)
      } catch {
        throw StoreError(error as? Errno ?? .ioError, "copy a video")
      }
    }
    return try hash.finish()
  }

  /// The digest of a file, as in the names of assets; `nil` if the file cannot be read.
  static func digest(of path: FilePath) -> String? {
    guard let source = try? SourceFile(path) else { return nil }
    return try? hash(source, { false })
  }

  private static func unavailable(_ path: FilePath, _ reason: String) -> StoreError {
    StoreError(.sourceUnavailable, "cannot accept \(path): \(reason)", isOfLocalFile: true)
  }

  static func reading(_ path: FilePath) throws(StoreError) -> SourceFile {
    do throws(OpenError) { return try SourceFile(path) } catch {
      throw StoreError(.failed, "cannot read \(path): \(error.reason)")
    }
  }

  static func created(_ file: FilePath) throws(StoreError) -> FileDescriptor {
    do throws(Errno) { return try DurableFiles.create(file) } catch {
      throw StoreError(error, "create \(file)")
    }
  }

  fileprivate static func synced(_ file: FileDescriptor) throws(StoreError) {
    do throws(Errno) { try DurableFiles.sync(file) } catch {
      throw StoreError(error, "store a video")
    }
  }
}

/// A folder in `incoming`. Removed with its last reference, unless it was renamed to an asset by then.
private final class StagingFolder: Sendable {
  let path: FilePath

  init(in layout: StoreLayout) throws(StoreError) {
    path = layout.temporaryPath()
    do throws(Errno) { try DurableFiles.makeFolder(path) } catch {
      throw StoreError(error, "create \(path)")
    }
  }

  deinit { DurableFiles.remove(path) }
}

/// A file in a folder of its own in `incoming`, for a video that is being downloaded.
struct IncomingVideo: Sendable {
  /// Open until ``endWriting()``.
  let descriptor: FileDescriptor
  private let staging: StagingFolder
  private let file: String

  init(extension name: String?, in layout: StoreLayout) throws(StoreError) {
    staging = try StagingFolder(in: layout)
    file = StoreLayout.videoFile(extension: name)
    descriptor = try StagedVideo.created(staging.path.appending(file))
  }

  /// Syncs the file and computes its digest.
  func finish() throws(StoreError) -> StagedVideo {
    try StagedVideo.synced(descriptor)
    let source = try StagedVideo.reading(staging.path.appending(file))
    let digest = try StagedVideo.hash(source, { false })
    return try StagedVideo(staging, file, digest)
  }

  func endWriting() { try? descriptor.close() }
}

extension OpenError {
  fileprivate var reason: String {
    switch self {
    case .leadsOut, .notAFile: "it is not a regular file"
    case .system(let error): error.description.lowercased()
    }
  }
}
