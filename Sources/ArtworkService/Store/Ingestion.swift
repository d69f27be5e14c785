import ArtworkModel
import ArtworkPipeline
import Synchronization
import SystemPackage

/// An artwork's video on its way from a source into the store.
struct Ingestion: Hashable {
  var reference: ArtworkReference
  var source: ArtworkSource
}

/// The bytes of a file and what they are taken for.
struct FileKind: Hashable {
  /// Hexadecimal SHA-256.
  var digest: String
  /// A static cover instead of a video.
  var isCover: Bool
}

extension AssetStore {
  /// Takes in a file: stages and hashes it, registers it as the source unless the artwork stands for other bytes, inspects
  /// it and publishes it.
  func takeIn(_ source: ArtworkSource, as reference: ArtworkReference) async throws(StoreError) {
    let staged = try await stage(source, for: reference)
    defer { discard(staged) }
    try core.checkIdentity(reference, staged.digest)
    // An artwork that stands for bytes keeps its source until the new ones turn out to be the same.
    let now = try await register(source, as: reference, keepsKnown: true)
    let claim = StoreCore.Claim(reference: reference, source: source, formerSource: now)
    do throws(StoreError) {
      try await ingest(claim, staged)
    } catch {
      // That is its status from now on.
      guard error.code == .refused else { throw error }
    }
  }

  /// Makes sure that an artwork's video is stored.
  ///
  /// - Returns: its digest.
  /// - Throws: `unknown-artwork`, `refused`, `conflict`, `source-unavailable`, `busy`, `no-space`, `late`.
  @discardableResult
  func prepare(_ reference: ArtworkReference) async throws(StoreError) -> String {
    if let digest = core.present(reference) { return digest }
    guard let source = core.record(reference)?.source else {
      throw StoreError(
        .unknownArtwork, "no source is registered for \(reference); PUT one first")
    }
    if let refusal = refusal(of: reference) { throw refusal }
    do throws(StoreError) {
      return try await ingest(
        StoreCore.Claim(reference: reference, source: source, formerSource: source))
    } catch {
      // An error of a source that was replaced meanwhile does not apply to the new one.
      if core.record(reference)?.source == source || Task.isCancelled { throw error }
      return try await prepare(reference)
    }
  }

  /// Registers a source, with the cover beside its file, and stops the ingestion from the former one, whose callers continue
  /// with the new one.
  ///
  /// - Returns: the source now, see ``StoreCore/register(_:_:keepsKnown:)``.
  @discardableResult
  func register(
    _ source: ArtworkSource, as reference: ArtworkReference, keepsKnown: Bool = false
  ) async throws(StoreError) -> ArtworkSource {
    let (now, former) = try await onDisk { core throws(StoreError) in
      try core.register(reference, source, keepsKnown: keepsKnown)
    }
    if let former, former != now { cancelIngestion(of: reference, from: former) }
    refusals[.source(reference)] = nil
    if reference.key != nil, let file = try source.localFile() {
      await registerCover(beside: file.path, of: reference.artworkID)
    }
    return now
  }

  func cancelIngestion(of reference: ArtworkReference, from source: ArtworkSource) {
    let ingestion = Ingestion(reference: reference, source: source)
    ingestions.cancel { $0 == ingestion }
  }

  /// Why the source of an artwork cannot be used; `nil` also for one that merely had no room.
  func refusal(of reference: ArtworkReference) -> StoreError? {
    refusals[.source(reference)].flatMap { $0.code == .noSpace ? nil : $0 }
  }

  /// Publishes the video of a source once for all who wait for it.
  ///
  /// - Parameter staged: its file, if it is at hand.
  @discardableResult
  private func ingest(
    _ claim: StoreCore.Claim, _ staged: StagedVideo? = nil
  ) async throws(StoreError) -> String {
    let ingestion = Ingestion(reference: claim.reference, source: claim.source)
    return try await ingestions.value(for: ingestion) { () async throws(StoreError) in
      do throws(StoreError) {
        if let staged { return try await self.store(staged, as: claim) }
        // It may have been stored since.
        if let digest = self.core.present(claim.reference) { return digest }
        let staged = try await self.stage(claim.source, for: claim.reference)
        defer { self.discard(staged) }
        return try await self.store(staged, as: claim)
      } catch {
        self.remember(error, of: claim)
        throw error
      }
    }
  }

  /// A cancelled ingestion, or one from a source that was replaced meanwhile, refuses nothing.
  private func remember(_ error: StoreError, of claim: StoreCore.Claim) {
    guard !Task.isCancelled, core.record(claim.reference)?.source == claim.source,
      [.refused, .conflict, .sourceUnavailable, .sourceNotAllowed, .noSpace].contains(error.code)
    else { return }
    refusals[.source(claim.reference)] = error
    notifyChange(of: claim.reference)
  }

  // MARK: Staging

  private func stage(
    _ source: ArtworkSource, for reference: ArtworkReference
  ) async throws(StoreError) -> StagedVideo {
    let isFirst: @Sendable () -> Bool = { self.isPublished(reference) }
    // One larger than the budget could not be kept.
    let (layout, limit) = (core.layout, min(options.videoByteLimit, options.byteBudget))
    if let file = try source.localFile() {
      return try await intake.run(first: isFirst) { isCancelled throws(StoreError) in
        try StagedVideo.create(
          file.path, immutable: file.immutable, into: layout, limit: limit,
          isCancelled: isCancelled)
      }
    }
    guard case .url(let url) = source else {
      throw StoreError(.failed, "the source is neither a file nor a URL")
    }
    return try await download(url, limit, first: isFirst)
  }

  /// - Throws: `source-not-allowed` when the store has no fetcher.
  func allowedFetcher(_ url: String) throws(StoreError) -> any ArtworkFetcher {
    guard let fetcher else {
      throw StoreError(
        .sourceNotAllowed, "URLs are not allowed as sources without --allow-source: \(url)")
    }
    return fetcher
  }

  private func download(
    _ url: String, _ limit: Int64, first isFirst: @escaping @Sendable () -> Bool
  ) async throws(StoreError) -> StagedVideo {
    let fetcher = try allowedFetcher(url)
    let host = (try? WebAddress(url))?.host ?? ""
    try await downloads.take(host, first: isFirst)
    defer { downloads.giveBack(host) }
    let (name, layout) = (
      FilePath(String(url.prefix { !"?#".contains($0) })).extension, core.layout
    )
    let incoming = try await disk.run { _ throws(StoreError) in
      try IncomingVideo(extension: name, in: layout)
    }
    defer { incoming.endWriting() }
    try await fetcher.fetch(url, into: incoming.descriptor, byteLimit: limit) {
      [downloads] in downloads.isCrowded
    }
    return try await intake.run(first: isFirst) { _ throws(StoreError) in try incoming.finish() }
  }

  /// Removes a staged video that was not published. After a cancellation, another caller may still wait for its
  /// inspection; it is then removed with the last reference to it.
  private func discard(_ staged: StagedVideo) { if !Task.isCancelled { staged.remove() } }

  // MARK: Publishing

  /// Inspects a staged video and makes it the artwork's. Callers with the same bytes share one inspection.
  private func store(
    _ staged: StagedVideo, as claim: StoreCore.Claim
  ) async throws(StoreError) -> String {
    try core.checkIdentity(claim.reference, staged.digest)
    // A stored video that another program has written to is replaced by this one.
    let isStored = try await isSound(staged.digest)
    let isKnown =
      isStored
      ? try await onDisk { core throws(StoreError) in try core.assign(staged.digest, to: claim) }
      : false
    if !isKnown {
      let inspected = try await inspect(staged, as: claim.reference)
      try await onDisk { core throws(StoreError) in
        try core.adopt(
          staged, inspected.inspection, preview: inspected.preview ?? [], as: claim)
      }
    }
    refusals[.source(claim.reference)] = nil
    notifyChange(of: claim.reference)
    return staged.digest
  }

  private func inspect(
    _ staged: StagedVideo, as reference: ArtworkReference
  ) async throws(StoreError) -> InspectedCandidate {
    let isCover = reference.key == nil
    let kind = FileKind(digest: staged.digest, isCover: isCover)
    if let refusal = refusals[.file(kind)] { throw refusal }
    return try await inspections.value(for: kind) { () async throws(StoreError) in
      do throws(StoreError) {
        return try await self.inspect(
          staged.path, InspectionRequest(preview: .original, still: isCover),
          first: { self.isPublished(reference) })
      } catch {
        if error.code == .refused {
          self.refusals[.file(kind)] = error
        }
        throw error
      }
    }
  }

  func inspect(
    _ path: FilePath, _ request: InspectionRequest, first isFirst: @escaping @Sendable () -> Bool
  ) async throws(StoreError) -> InspectedCandidate {
    try await inspecting.run(first: isFirst) { [inspector] isCancelled throws(StoreError) in
      do throws(InspectionError) {
        return try inspector.inspect(Candidate(path: path), request, isCancelled: isCancelled)
      } catch {
        guard !isCancelled() else { throw StoreError.cancelled }
        let title = request.still ? "cover" : "video"
        // Other failures, such as a full disk, do not depend on the file.
        guard error.isOfTheFile || [.timedOut, .outOfMemory, .decoderCrashed].contains(error.code)
        else {
          throw StoreError(
            .failed, "the \(title) could not be inspected: \(error)", inspection: error)
        }
        throw StoreError(.refused, "the \(title) cannot be used: \(error)", inspection: error)
      }
    }
  }
}

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

  static func unavailable(_ path: FilePath, _ reason: String) -> StoreError {
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

extension ArtworkSource {
  /// The file of this machine that the source names, by its path or by a `file` URL (RFC 8089), which may stand for a path
  /// that is not UTF-8; `nil` for a source on the web.
  ///
  /// - Throws: `bad-request` for a path that is not absolute, and for a `file` URL of another form.
  func localFile() throws(StoreError) -> (path: FilePath, immutable: Bool)? {
    switch self {
    case .file(let path, let immutable):
      guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
        throw StoreError(.badRequest, "source.path must be an absolute path")
      }
      return (FilePath(path), immutable)
    case .url(let url):
      guard url.prefix(5).lowercased() == "file:" else { return nil }
      guard let bytes = Self.pathBytes(url.dropFirst(5)) else {
        throw StoreError(
          .badRequest,
          "source.url must be file:// and an absolute path, percent-encoded, without ? and #")
      }
      return (FilePath(bytes: bytes), false)
    }
  }

  private static func pathBytes(_ rest: Substring) -> [UInt8]? {
    var rest = rest
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if rest.prefix(while: { $0 != "/" }).lowercased() == "localhost" { rest = rest.dropFirst(9) }
    }
    guard rest.first == "/", !rest.contains(where: { "?#".contains($0) }),
      let bytes = [UInt8](percentEncoded: rest), !bytes.contains(0)
    else { return nil }
    return bytes
  }
}

/// Errors that are remembered for a while, so that not every request tries in vain what cannot be used.
final class Refusals: Sendable {
  enum Subject: Hashable, Sendable {
    /// The bytes of a file and what they are taken for.
    case file(FileKind)
    /// A source: it cannot be used, or its video had no room when it was asked for last.
    case source(ArtworkReference)
    case version(RenditionKey)
  }

  /// About 10 MB of errors.
  private static let limit = 10_000

  private let errors: Mutex<BoundedCache<Subject, StoreError>>

  init(for lifetime: Duration, now: @escaping @Sendable () -> Duration) {
    errors = Mutex(
      BoundedCache(.init(count: Self.limit), expiry: .init(after: lifetime, now: now)))
  }

  subscript(subject: Subject) -> StoreError? {
    get { errors.withLock { $0.value(for: subject) } }
    set {
      errors.withLock { errors in
        if let newValue {
          errors.insert(newValue, for: subject)
        } else {
          errors.removeValue(for: subject)
        }
      }
    }
  }
}
