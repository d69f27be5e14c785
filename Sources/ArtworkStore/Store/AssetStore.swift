package import ArtworkModel
package import ArtworkPipeline
import Dispatch
package import Logging
import Synchronization
package import SystemPackage

/// Videos and previews by artworkID and key, on disk, within a budget.
///
/// Bytes are kept once, by their SHA-256, with the preview and the inspection. An ID that stands for some bytes never
/// stands for others. What a session leases stays; the rest goes when the budget is used up, least recently used
/// first, and comes back from its source when it is asked for.
///
/// Asynchronous calls do not block: files are written on a thread of the store's own, videos are looked at by
/// ``Options/jobs`` more.
package final class AssetStore: Sendable {
  package struct Options: Sendable {
    /// Where everything is kept; made with mode 0700.
    package var folder: FilePath
    /// Whether it is a mistake that there is none yet.
    package var mustExist = false
    /// Bytes of videos and previews. 2 GiB: some hundred albums of the largest artwork that Apple accepts.
    package var byteBudget: Int64 = 2 << 30
    /// The largest video that is taken, in bytes.
    package var videoByteLimit: Int64 = Limits().fileBytes
    /// Videos looked at at once.
    package var jobs = 2
    /// How many may wait for one of those; the next one is told `busy`.
    package var waiting = 64
    /// How long a refusal counts before the source is tried again.
    package var refusalLife: Duration = .seconds(60)
    /// What videos are judged for.
    package var profile: Profile = .nowPlaying
    /// Time that nobody sets, from any start. Refusals expire by it.
    package var now: @Sendable () -> Duration = {
      let start = ContinuousClock.now
      return { start.duration(to: .now) }
    }()

    package init(folder: FilePath) { self.folder = folder }
  }

  package let options: Options
  let core: StoreCore
  private let inspector: any CandidateInspector
  private let fetcher: (any ArtworkFetcher)?
  let workers: WorkPool
  /// What is on disk changes on this thread.
  private let disk = WorkPool(jobs: 1, waiting: .max)
  private let assets = Flights<Bringing, String>()
  private let looks = Flights<String, InspectedCandidate>()
  private let previews = Flights<PreviewName, [UInt8]?>()
  private let refusedBytes: Refusals<String>
  private let refusedSources: Refusals<ArtworkReference>
  private let fetching = Mutex(0)
  private let observer = Mutex<(@Sendable (ArtworkReference) -> Void)?>(nil)

  private struct Bringing: Hashable {
    var reference: ArtworkReference
    var source: ArtworkSource
  }

  private struct PreviewName: Hashable {
    var digest: String
    var size: PixelSize
  }

  /// Opens the store and mends what a crash left. Blocks.
  ///
  /// - Throws: `locked` when another process has it; `failed` when the folder cannot be used.
  package static func open(
    _ options: Options, inspector: any CandidateInspector, fetcher: (any ArtworkFetcher)? = nil,
    logger: Logger = Logger(label: "artworkd.store")
  ) throws(StoreError) -> AssetStore {
    if options.mustExist { _ = try StoreLayout(ofStoreIn: options.folder) }
    let core = try StoreCore.open(
      options.folder, byteBudget: options.byteBudget, profile: options.profile, logger: logger)
    return AssetStore(options, core, inspector, fetcher)
  }

  private init(
    _ options: Options, _ core: StoreCore, _ inspector: any CandidateInspector,
    _ fetcher: (any ArtworkFetcher)?
  ) {
    self.options = options
    self.core = core
    self.inspector = inspector
    self.fetcher = fetcher
    workers = WorkPool(jobs: options.jobs, waiting: options.waiting)
    refusedBytes = Refusals(life: options.refusalLife, now: options.now)
    refusedSources = Refusals(life: options.refusalLife, now: options.now)
  }

  /// Called after each change of an artwork, from any thread.
  package func observe(_ body: @escaping @Sendable (ArtworkReference) -> Void) {
    observer.withLock { $0 = body }
  }

  // MARK: Artworks

  /// Says where an artwork comes from. A file is taken in at once; a URL when somebody first asks.
  ///
  /// - Returns: what there is of it now, and whether it is new.
  /// - Throws: `conflict` for other bytes under an ID that has some; `source-not-allowed`, `source-unavailable`,
  ///   `busy`, `no-space`. A video that cannot be used is not thrown: its status is `refused`.
  package func put(
    _ reference: ArtworkReference, _ source: ArtworkSource
  ) async throws(StoreError) -> (artwork: StoredArtwork, isNew: Bool) {
    let isNew = core.record(reference) == nil
    switch source {
    case .url(let url):
      guard let fetcher else {
        throw StoreError(.sourceNotAllowed, "no URL is allowed as a source: \(url)")
      }
      try fetcher.check(url)
      let (_, former) = try await onDisk { core throws(StoreError) in
        try core.register(reference, source)
      }
      stopBringing(reference, former, unlessFrom: source)
      refusedSources.forget(reference)
    case .file(let path, let immutable):
      guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
        throw StoreError(.sourceUnavailable, "the path must be absolute: \(path)")
      }
      try await take(FilePath(path), immutable, source, reference)
    }
    observer.withLock(\.self)?(reference)
    guard let artwork = try await artwork(reference) else {
      throw StoreError(.unknownArtwork, "\(reference) was removed meanwhile")
    }
    return (artwork, isNew)
  }

  /// Takes in a file that was named just now, and registers it as the source unless its bytes are the wrong ones.
  private func take(
    _ path: FilePath, _ immutable: Bool, _ source: ArtworkSource, _ reference: ArtworkReference
  ) async throws(StoreError) {
    let staged = try await stage(path, immutable)
    defer { leave(staged) }
    try core.checkIdentity(reference, staged.digest)
    refusedSources.forget(reference)
    // One that stands for bytes keeps its source until these turn out to be the same.
    let (now, former) = try await onDisk { core throws(StoreError) in
      try core.register(reference, source, keepsKnown: true)
    }
    stopBringing(reference, former, unlessFrom: now)
    do throws(StoreError) {
      _ = try await settle(
        staged, StoreCore.Claim(reference: reference, source: source, formerSource: now))
    } catch {
      guard error.code == .refused else { throw error }
      refusedSources.remember(error, for: reference)
    }
  }

  /// `nil` when nobody has said where it comes from.
  package func artwork(_ reference: ArtworkReference) async throws(StoreError) -> StoredArtwork? {
    guard let artwork = describe(reference) else { return nil }
    guard let digest = artwork.digest, artwork.status == .ready else { return artwork }
    var described = artwork
    described.inspection = try await onDisk { core throws(StoreError) in core.inspection(digest) }
    return described
  }

  /// All of them, without their inspections, in the order of their IDs.
  package func artworks() -> [StoredArtwork] {
    core.state.withLock { Array($0.artworks.keys) }.compactMap(describe).sorted {
      ($0.reference.artworkID.text, $0.reference.key.rawValue)
        < ($1.reference.artworkID.text, $1.reference.key.rawValue)
    }
  }

  /// Without its inspection; costs no look at the disk.
  func describe(_ reference: ArtworkReference) -> StoredArtwork? {
    let known = core.state.withLock { state in
      state.artworks[reference].map { artwork in
        (
          artwork, artwork.digest.flatMap { state.assets[$0]?.videoBytes },
          state.leaseCount(reference)
        )
      }
    }
    guard let (artwork, bytes, leases) = known else { return nil }
    let refusal = refusedSources[reference]
    let status: ArtworkStatus =
      if bytes != nil {
        .ready
      } else if assets.contains(Bringing(reference: reference, source: artwork.source)) {
        .preparing
      } else if refusal != nil {
        .refused
      } else { .registered }
    return StoredArtwork(
      reference: reference, source: artwork.source, status: status, digest: artwork.digest,
      bytes: bytes, error: bytes == nil ? refusal : nil, leases: leases)
  }

  /// Costs no look at the disk; `nil` when nobody has said where it comes from.
  package func status(_ reference: ArtworkReference) -> ArtworkStatus? {
    describe(reference)?.status
  }

  /// Rules that an artwork which is here breaks, as errors of ``Options/profile``; `nil` while it is not here. May read
  /// the index once.
  func broken(_ reference: ArtworkReference) -> [String]? {
    core.present(reference).flatMap { core.broken($0, as: reference.key) }
  }

  /// Forgets it.
  ///
  /// - Returns: `false` when there is none.
  /// - Throws: `in-use` while a session holds it.
  package func remove(_ reference: ArtworkReference) async throws(StoreError) -> Bool {
    let former = core.record(reference)?.source
    let wasThere = try await onDisk { core throws(StoreError) in try core.forget(reference) }
    if wasThere { stopBringing(reference, former) }
    refusedSources.forget(reference)
    if wasThere { observer.withLock(\.self)?(reference) }
    return wasThere
  }

  // MARK: Previews and videos

  /// The tag that ``preview(_:inside:)`` would answer with, when the preview is at hand; costs no look at the disk.
  package func previewTag(_ reference: ArtworkReference, inside box: PixelSize? = nil) -> String? {
    let hit = core.state.withLock { state -> (digest: String, size: PixelSize, isTime: Bool)? in
      guard let digest = state.artworks[reference]?.digest, let asset = state.assets[digest] else {
        return nil
      }
      let (size, file) = Self.fit(asset, inside: box)
      guard asset.previews[file] != nil else { return nil }
      state.counters.previewHits += 1
      return (digest, size, state.use(digest, preview: file))
    }
    guard let hit else { return nil }
    if hit.isTime { core.writeUsesSoon() }
    return Self.tag(hit.digest, hit.size)
  }

  /// The preview, fitted inside `box` and never enlarged. A hundred callers cost one decode; one that is cancelled
  /// leaves the others alone.
  ///
  /// - Throws: `unknown-artwork`, `refused`, `conflict`, `source-unavailable`, `busy`, `no-space`, `late`.
  package func preview(
    _ reference: ArtworkReference, inside box: PixelSize? = nil
  ) async throws(StoreError) -> StoredPreview {
    // What is evicted between two steps is fetched again; somebody who evicts all the time wins.
    for _ in 0..<3 {
      let digest = try await prepare(reference)
      guard let asset = core.state.withLock({ $0.assets[digest] }) else { continue }
      let (size, file) = Self.fit(asset, inside: box)
      if asset.previews[file] == nil {
        core.state.withLock { $0.counters.previewMisses += 1 }
        let png = try await previews.value(for: PreviewName(digest: digest, size: size)) {
          () async throws(StoreError) in
          try await self.draw(digest, size)
        }
        guard let png else { continue }
        core.touch(digest)
        return StoredPreview(png: png, size: size, tag: Self.tag(digest, size))
      }
      core.state.withLock { $0.counters.previewHits += 1 }
      let path = core.layout.asset(digest).appending(file)
      let png = try await onDisk { _ throws(StoreError) in
        Candidate(path: path).contents(atMost: 1 << 30)
      }
      guard let png else { continue }
      core.touch(digest, preview: file)
      return StoredPreview(png: png, size: size, tag: Self.tag(digest, size))
    }
    throw StoreError(.noSpace, "\(reference) is evicted as soon as it is here")
  }

  /// The video's file, open for reading at once; only a lease keeps it. Prepares it when necessary.
  ///
  /// - Returns: a descriptor that the caller closes.
  package func video(
    _ reference: ArtworkReference
  ) async throws(StoreError) -> (file: FileDescriptor, bytes: Int64, tag: String) {
    for _ in 0..<3 {
      let digest = try await prepare(reference)
      guard let asset = core.state.withLock({ $0.assets[digest] }) else { continue }
      let path = core.layout.asset(digest).appending(asset.file)
      let file = try await onDisk { _ throws(StoreError) in try? Folder.openNamed(path) }
      guard let file else { continue }
      core.touch(digest)
      return (file, asset.videoBytes, digest)
    }
    throw StoreError(.noSpace, "\(reference) is evicted as soon as it is here")
  }

  /// Makes sure that an artwork's video is here.
  ///
  /// - Returns: its digest.
  /// - Throws: as ``preview(_:inside:)``.
  @discardableResult
  func prepare(_ reference: ArtworkReference) async throws(StoreError) -> String {
    if let digest = core.present(reference) { return digest }
    guard let source = core.record(reference)?.source else {
      throw StoreError(
        .unknownArtwork, "nobody has said where \(reference) comes from: put it first")
    }
    if let refusal = refusedSources[reference] { throw refusal }
    do throws(StoreError) {
      return try await assets.value(for: Bringing(reference: reference, source: source)) {
        () async throws(StoreError) in
        try await self.bring(
          StoreCore.Claim(reference: reference, source: source, formerSource: source))
      }
    } catch {
      // What is said of another source says nothing about the one that there is now.
      if core.record(reference)?.source == source || Task.isCancelled { throw error }
      return try await prepare(reference)
    }
  }

  /// Brings an artwork's video from where it comes from.
  private func bring(_ claim: StoreCore.Claim) async throws(StoreError) -> String {
    // It may have landed since.
    if let digest = core.present(claim.reference) { return digest }
    do throws(StoreError) {
      let staged =
        switch claim.source {
        case .file(let path, let immutable): try await stage(FilePath(path), immutable)
        case .url(let url): try await fetch(url)
        }
      defer { leave(staged) }
      return try await settle(staged, claim)
    } catch {
      // When nobody waits any more, or for another source, what is said is not about this one.
      if !Task.isCancelled, core.record(claim.reference)?.source == claim.source,
        [.refused, .conflict, .sourceUnavailable, .sourceNotAllowed].contains(error.code)
      {
        refusedSources.remember(error, for: claim.reference)
        observer.withLock(\.self)?(claim.reference)
      }
      throw error
    }
  }

  /// Whoever waits for an artwork is not kept waiting for where it came from before.
  private func stopBringing(
    _ reference: ArtworkReference, _ former: ArtworkSource?, unlessFrom source: ArtworkSource? = nil
  ) {
    guard let former, former != source else { return }
    assets.stop(Bringing(reference: reference, source: former))
  }

  private func stage(_ path: FilePath, _ immutable: Bool) async throws(StoreError) -> StagedVideo {
    let (layout, limit) = (core.layout, largestVideo)
    return try await workers.run { isWanted throws(StoreError) in
      try StagedVideo.take(
        path, immutable: immutable, into: layout, limit: limit, isWanted: isWanted)
    }
  }

  private func fetch(_ url: String) async throws(StoreError) -> StagedVideo {
    guard let fetcher else {
      throw StoreError(.sourceNotAllowed, "no URL is allowed as a source: \(url)")
    }
    let isFree = fetching.withLock { count in
      if count >= Self.mostFetches { return false }
      count += 1
      return true
    }
    guard isFree else {
      throw StoreError(.busy, "\(Self.mostFetches) videos are being fetched; ask again in a moment")
    }
    defer { fetching.withLock { $0 -= 1 } }
    core.state.withLock { $0.counters.fetches += 1 }
    let path = url.prefix { !"?#".contains($0) }
    let name = FilePath(String(path)).extension
    let (layout, limit) = (core.layout, largestVideo)
    let received = try await onDisk { _ throws(StoreError) in
      try ReceivedVideo(extension: name, in: layout)
    }
    defer { received.endWriting() }
    try await fetcher.fetch(url, into: received.descriptor, byteLimit: limit)
    return try await workers.run { _ throws(StoreError) in try received.finish() }
  }

  /// In bytes: what is larger than the budget could not be kept anyway.
  private var largestVideo: Int64 { min(options.videoByteLimit, options.byteBudget) }

  /// Videos fetched at once: each may take as much of the disk as a video may have.
  private static let mostFetches = 4

  /// Looks at a staged video and makes it that of an artwork. Who brings the same bytes meanwhile waits for the one look.
  private func settle(
    _ staged: StagedVideo, _ claim: StoreCore.Claim
  ) async throws(StoreError) -> String {
    let reference = claim.reference
    try core.checkIdentity(reference, staged.digest)
    if let refusal = refusedBytes[staged.digest] { throw refusal }
    let isHere = try await onDisk { core throws(StoreError) in
      guard try core.adopt(staged.digest, as: claim) else { return false }
      core.judge([reference.key: reference.artworkID])
      return true
    }
    if !isHere {
      let inspected = try await looks.value(for: staged.digest) { () async throws(StoreError) in
        try await self.look(at: staged)
      }
      try await onDisk { core throws(StoreError) in
        try core.publish(
          staged, inspected.inspection, preview: inspected.preview ?? [], as: claim)
      }
    }
    refusedSources.forget(reference)
    observer.withLock(\.self)?(reference)
    return staged.digest
  }

  /// One that was cancelled does not know whether others wait for the look at its video, which then goes with that.
  private func leave(_ staged: StagedVideo) { if !Task.isCancelled { staged.abandon() } }

  private func look(at staged: StagedVideo) async throws(StoreError) -> InspectedCandidate {
    core.state.withLock { $0.counters.inspections += 1 }
    do throws(StoreError) {
      return try await inspect(staged.path, InspectionRequest(preview: .original))
    } catch {
      if error.code == .refused {
        core.state.withLock { $0.counters.refusals += 1 }
        refusedBytes.remember(error, for: staged.digest)
      }
      throw error
    }
  }

  private func inspect(
    _ path: FilePath, _ request: InspectionRequest
  ) async throws(StoreError) -> InspectedCandidate {
    let inspector = inspector
    return try await workers.run { isWanted throws(StoreError) in
      do throws(InspectionError) {
        return try inspector.inspect(Candidate(path: path), request, isWanted: isWanted)
      } catch {
        guard isWanted() else { throw StoreError(.late, "nobody waits for it any more") }
        // What says nothing about the file is not held against it.
        guard error.isOfTheFile || [.timedOut, .outOfMemory, .decoderCrashed].contains(error.code)
        else {
          throw StoreError(.failed, "the video could not be looked at: \(error)", inspection: error)
        }
        throw StoreError(.refused, "the video cannot be used: \(error)", inspection: error)
      }
    }
  }

  /// - Returns: a PNG file; `nil` when the video has gone meanwhile.
  private func draw(_ digest: String, _ size: PixelSize) async throws(StoreError) -> [UInt8]? {
    guard let asset = core.state.withLock({ $0.assets[digest] }) else { return nil }
    core.state.withLock { $0.counters.inspections += 1 }
    let drawn = try await inspect(
      core.layout.asset(digest).appending(asset.file), InspectionRequest(preview: .fitted(size)))
    let png = drawn.preview ?? []
    do throws(StoreError) {
      try await onDisk { core throws(StoreError) in try core.keep(png, size, of: digest) }
    } catch {
      // Who waits for it gets it all the same; the next one has it drawn again.
      core.logger.warning("a preview cannot be kept", metadata: ["error": "\(error)"])
    }
    return png
  }

  private static func fit(
    _ asset: StoreState.Asset, inside box: PixelSize?
  ) -> (size: PixelSize, file: String) {
    let size = box.map { asset.previewSize.limited(to: $0) } ?? asset.previewSize
    return (size, asset.previewFile(size))
  }

  /// The first half of a SHA-256 leaves no room for accidents.
  private static func tag(_ digest: String, _ size: PixelSize) -> String {
    "\(digest.prefix(32))-\(size)"
  }

  /// Removes what was not used for longest and nobody leases, down to `budget` bytes.
  ///
  /// - Returns: how many videos went.
  package func evict(downTo budget: Int64) async throws(StoreError) -> Int {
    try await onDisk { core throws(StoreError) in try core.evict(downTo: budget) }
  }

  /// Does something on the thread on which files change.
  func onDisk<R: Sendable>(
    _ body: @escaping @Sendable (StoreCore) throws(StoreError) -> R
  ) async throws(StoreError) -> R {
    // Not cancelled with the caller: what sessions and leases become must not depend on who still listens.
    let result = await Task.detached { [core, disk] () -> Result<R, StoreError> in
      do throws(StoreError) {
        return .success(try await disk.run { _ throws(StoreError) in try body(core) })
      } catch {
        return .failure(error)
      }
    }.value
    return try result.get()
  }
}
