package import ArtworkModel
package import ArtworkPipeline
package import Logging
import Synchronization
package import SystemPackage

/// Videos and previews by artworkID and key, on disk, within a budget.
///
/// The bytes of a video are stored once, by their SHA-256, with its preview and its inspection. An ID that stands for
/// some bytes never stands for others. What a session leases stays; the rest is evicted when the budget is used up, the
/// least recently used first, and is brought from its source again on request.
///
/// Asynchronous calls do not block: they wait for threads that wait for the disk, or for such that inspect videos.
package final class AssetStore: Sendable {
  package struct Options: Sendable {
    /// The store's folder, created with mode 0700.
    package var folder: FilePath
    /// Whether opening fails if the folder has no store yet.
    package var mustExist = false
    /// Bytes of videos and previews. 2 GiB hold several hundred albums of the largest artwork that Apple accepts.
    package var byteBudget: Int64 = 2 << 30
    /// Bytes of the largest video that is accepted.
    package var videoByteLimit: Int64 = Limits().fileBytes
    /// The most bytes of a video that a session gets as a copy where the file system cannot share blocks. A larger one is
    /// hard-linked.
    package var copyLimit: Int64 = LeaseFile.copyLimit
    /// Videos inspected in parallel.
    package var jobs = 2
    /// Inspections that may wait for a thread; the next one fails with `busy`.
    package var waiting = 64
    /// How long a refusal counts before the source is tried again.
    package var refusalLife: Duration = .seconds(60)
    /// The profile that videos are judged for.
    package var profile: Profile = .nowPlaying
    /// The time since any start, by a clock that is never set. Refusals expire by it.
    package var now: @Sendable () -> Duration = {
      let start = ContinuousClock.now
      return { start.duration(to: .now) }
    }()

    package init(folder: FilePath) { self.folder = folder }
  }

  package let options: Options
  let logger: Logger
  let core: StoreCore
  let inspector: any CandidateInspector
  let fetcher: (any ArtworkFetcher)?
  let clipMaker: (any JobRunner)?
  /// Changes of files, sessions and leases, one at a time.
  let changes = WorkPool(threads: 1)
  /// What takes milliseconds: it reads, draws previews and copies videos for leases, which changes nothing that others see.
  let disk = WorkPool(threads: 4)
  /// Takes in files, which takes as long as they are large.
  let intake: WorkPool
  /// Inspects: what takes seconds.
  let inspecting: WorkPool
  /// Encodes versions, so that this keeps at most one core busy.
  let encoding = WorkPool(threads: 1, waiting: 16)
  let ingestions = SharedTasks<Ingestion, String>()
  let inspections = SharedTasks<FileKind, InspectedCandidate>()
  /// Comparisons of videos with their digests.
  let readings = SharedTasks<String, Bool>()
  let renditions = SharedTasks<RenditionKey, Void>()
  let drawings = SharedTasks<PreviewKey, [UInt8]?>()
  /// Decoded previews in the size of their videos, by the digests of these: about 20 of 1080 pixels a side. Larger ones
  /// than 64 MiB are decoded each time.
  let pictures = Mutex(BoundedCache<String, PixelImage>(.init(count: 1024, cost: 64 << 20)))
  let refusals: Refusals
  /// Downloads, by their hosts: each may fill the disk with the largest video, and one slow host stops no other.
  let downloads = Places(4, ofGroup: 2, waiting: 64)
  /// Counts the sessions that publish an artwork.
  let publishers = Mutex<(@Sendable (ArtworkReference) -> Int)?>(nil)
  let health = Mutex<Health?>(nil)
  private let observer = Mutex<(@Sendable (ArtworkReference) -> Void)?>(nil)

  /// Opens the store and repairs what a crash left behind. Blocks.
  ///
  /// - Parameters:
  ///   - fetcher: brings videos from URLs; without one, none is allowed.
  ///   - clipMaker: makes smaller versions, and H.264; without one, videos are handed out as they are.
  /// - Throws: `locked` when another process uses the store; `failed` when the folder cannot be used.
  package static func open(
    _ options: Options, inspector: any CandidateInspector, fetcher: (any ArtworkFetcher)? = nil,
    clipMaker: (any JobRunner)? = nil,
    logger: Logger = Logger(label: "artworkd.store")
  ) throws(StoreError) -> AssetStore {
    if options.mustExist { _ = try StoreLayout(ofStoreIn: options.folder) }
    let core = try StoreCore.open(
      options.folder, byteBudget: options.byteBudget, copyLimit: options.copyLimit,
      profile: options.profile, logger: logger)
    return AssetStore(options, core, inspector, fetcher, clipMaker, logger)
  }

  private init(
    _ options: Options, _ core: StoreCore, _ inspector: any CandidateInspector,
    _ fetcher: (any ArtworkFetcher)?, _ clipMaker: (any JobRunner)?, _ logger: Logger
  ) {
    self.options = options
    self.core = core
    self.inspector = inspector
    self.fetcher = fetcher
    self.clipMaker = clipMaker
    self.logger = logger
    intake = WorkPool(threads: 2, waiting: options.waiting)
    inspecting = WorkPool(threads: options.jobs, waiting: options.waiting)
    refusals = Refusals(for: options.refusalLife, now: options.now)
  }

  /// Asks `count` for the number of sessions that publish an artwork before it is removed.
  func countPublishers(with count: @escaping @Sendable (ArtworkReference) -> Int) {
    publishers.withLock { $0 = count }
  }

  /// Whether a session publishes an artwork, so that work for it goes first.
  func isPublished(_ reference: ArtworkReference) -> Bool {
    publishers.withLock(\.self).map { $0(reference) > 0 } ?? false
  }

  /// Calls `body` after each change of an artwork, from any thread.
  package func observe(_ body: @escaping @Sendable (ArtworkReference) -> Void) {
    observer.withLock { $0 = body }
    core.evicted.withLock { $0 = body }
  }

  func notifyChange(of reference: ArtworkReference) { observer.withLock(\.self)?(reference) }

  /// Runs `body` on the thread on which files change, so that sessions and leases change one at a time. Not cancelled
  /// with the caller.
  func onDisk<R: Sendable>(
    _ body: @escaping @Sendable (StoreCore) throws(StoreError) -> R
  ) async throws(StoreError) -> R {
    let result = await Task.detached { [core, changes] () -> Result<R, StoreError> in
      do throws(StoreError) {
        return .success(try await changes.run { _ throws(StoreError) in try body(core) })
      } catch {
        return .failure(error)
      }
    }.value
    return try result.get()
  }

  /// Evicts the least recently used videos without a lease, down to `budget` bytes.
  ///
  /// - Returns: the number of videos evicted.
  package func evict(downTo budget: Int64) async throws(StoreError) -> Int {
    try await onDisk { core throws(StoreError) in try core.evict(downTo: budget) }
  }
}

extension AssetStore {
  /// Registers the source of an artwork. A file is taken in now, a URL on the first request.
  ///
  /// A known source whose file has gone stays known while its video is stored.
  ///
  /// - Parameters:
  ///   - prepares: whether a file is taken in now; `false` leaves that to the first request.
  ///   - preview: the absolute path of a picture that is the preview until the video is stored.
  /// - Returns: what the store has of it now, whether it is new, and the size of a preview that is ignored, since it has
  ///   another shape.
  /// - Throws: `conflict` for other bytes under an ID that has some; `bad-request`, `source-not-allowed`,
  ///   `source-unavailable`, `busy`, `no-space`. A video that cannot be used is not an error: its status is `refused`.
  package func put(
    _ reference: ArtworkReference, _ source: ArtworkSource, prepares: Bool = true,
    preview: String? = nil
  ) async throws(StoreError) -> (artwork: ArtworkRecord, isNew: Bool, ignored: PixelSize?) {
    let former = core.record(reference)
    let file = try source.localFile()
    if file == nil, case .url(let url) = source { try allowedFetcher(url).check(url) }
    var ignored: PixelSize?
    if let preview, core.present(reference) == nil {
      ignored = try await supply(preview, to: reference)
    }
    if let file, prepares {
      do throws(StoreError) { try await takeIn(source, as: reference) } catch {
        let isKnown = former?.source == source && core.present(reference) != nil
        guard isKnown, error.code == .sourceUnavailable, !file.path.exists else { throw error }
      }
    } else {
      try await register(source, as: reference)
    }
    notifyChange(of: reference)
    guard let artwork = describe(reference) else {
      throw StoreError(.unknownArtwork, "\(reference) was removed meanwhile")
    }
    return (artwork, former == nil, ignored)
  }

  /// Takes in a player's own preview. A system would ignore artwork whose preview has another shape.
  ///
  /// - Returns: its size if it has another shape.
  private func supply(
    _ preview: String, to reference: ArtworkReference
  ) async throws(StoreError) -> PixelSize? {
    guard let key = reference.key else {
      throw StoreError(.badRequest, "a cover has no preview")
    }
    let picture: InspectedCandidate
    do throws(StoreError) {
      picture = try await inspect(
        FilePath(preview), InspectionRequest(preview: .original, still: true),
        first: { self.isPublished(reference) })
    } catch {
      // The client named the file.
      let codes: [InspectionError.Code] = [.notFound, .unreadable, .notAFile]
      guard let cause = error.inspection, codes.contains(cause.code) else { throw error }
      throw StagedVideo.unavailable(FilePath(preview), cause.message)
    }
    guard let size = picture.inspection.previewSize, let png = picture.preview else {
      throw StoreError(.refused, "the preview cannot be used")
    }
    let aspect = Double(size.width) / Double(size.height)
    guard abs(aspect / key.aspect.value - 1) <= Self.previewTolerance else { return size }
    try await onDisk { core throws(StoreError) in try core.supplyStill(png, size, of: reference) }
    return nil
  }

  /// Beyond it, the rule `aspect-ratio` fails.
  private static let previewTolerance = 0.02

  /// The inspection of an artwork's video while it is stored, or why it was refused.
  package func inspection(
    of artwork: ArtworkRecord
  ) async throws(StoreError) -> (Inspection?, refusal: InspectionError?) {
    guard let digest = artwork.digest, artwork.status == .ready else {
      return (nil, artwork.error == nil ? nil : refusal(of: artwork.reference)?.inspection)
    }
    let inspection = try await disk.run { [core] _ throws(StoreError) in core.inspection(digest) }
    return (inspection, nil)
  }

  /// The IDs of a page, in their order.
  ///
  /// - Parameters:
  ///   - last: the last ID of the page before, whether or not it is still there.
  ///   - limit: of IDs; `nil` for all.
  package func artworkIDs(
    after last: String? = nil, limit: Int? = nil
  ) -> (ids: [ArtworkID], hasMore: Bool) {
    let all = Set(core.state.withLock { $0.artworks.keys.map(\.artworkID) })
    let rest = all.filter { id in last.map { $0 < id.text } ?? true }
      .sorted { $0.text < $1.text }
    let page = Array(rest.prefix(limit ?? rest.count))
    return (page, page.count < rest.count)
  }

  /// Artworks in the order of their IDs.
  ///
  /// - Parameter ids: those that are wanted; `nil` for all.
  package func artworks(_ ids: [ArtworkID]? = nil) -> [ArtworkRecord] {
    describe(ids) { $0.key != nil }
  }

  /// Returns static covers, like ``artworks(_:)``.
  package func covers(_ ids: [ArtworkID]? = nil) -> [ArtworkRecord] {
    describe(ids) { $0.key == nil }
  }

  private func describe(
    _ ids: [ArtworkID]?, _ matches: (ArtworkReference) -> Bool
  ) -> [ArtworkRecord] {
    let ids = ids.map(Set.init)
    return core.state.withLock { state in
      state.artworks.keys.filter { matches($0) && ids?.contains($0.artworkID) ?? true }
    }.sorted(by: ArtworkReference.precedes).compactMap(describe)
  }

  /// `nil` for an artwork without a registered source. Does not read the disk.
  package func describe(_ reference: ArtworkReference) -> ArtworkRecord? {
    let known = core.state.withLock { state in
      state.artworks[reference].map { artwork in
        (
          artwork, artwork.digest.flatMap { state.assets[$0]?.videoBytes },
          state.leaseCount(reference)
        )
      }
    }
    guard let (artwork, bytes, leases) = known else { return nil }
    let refusal = refusal(of: reference)
    let status: ArtworkStatus =
      if bytes != nil {
        .ready
      } else if refusal != nil {
        // Also when its last attempt is about to end: that has announced it.
        .refused
      } else if ingestions.contains(Ingestion(reference: reference, source: artwork.source)) {
        .preparing
      } else { .registered }
    return ArtworkRecord(
      reference, from: artwork.source, status, digest: artwork.digest, bytes: bytes,
      leases: leases, error: bytes == nil ? refusal : nil)
  }

  /// `nil` for an artwork without a registered source. Does not read the disk.
  package func status(_ reference: ArtworkReference) -> ArtworkStatus? {
    describe(reference)?.status
  }

  /// The rules of ``Options/profile`` that an artwork breaks as errors; `nil` while its video is not stored. May read
  /// the index once.
  func brokenRules(_ reference: ArtworkReference) -> [String]? {
    judged(reference)?.errors
  }

  private func judged(_ reference: ArtworkReference) -> StoreState.BrokenRules? {
    guard let digest = core.present(reference) else { return nil }
    return reference.key.map { core.brokenRules(digest, as: $0) } ?? .init()
  }

  /// The codec of an artwork's video; `nil` for a cover, and while it is not stored.
  func codec(_ reference: ArtworkReference) -> String? {
    guard reference.key != nil, let digest = core.present(reference) else { return nil }
    return core.format(digest)?.codec
  }

  /// What a presentation depends on. May read the index once.
  package func availability(_ reference: ArtworkReference) -> ArtworkAvailability {
    guard let artwork = describe(reference) else { return .unknown }
    switch artwork.status {
    case .ready:
      let rules = judged(reference) ?? .init()
      return .ready(
        broken: rules.errors, warnings: rules.warnings, codec: codec(reference))
    case .registered, .preparing:
      let hasPreview = core.hasStill(reference)
      return refusals[.source(reference)].flatMap {
        $0.code == .noSpace ? .withoutRoom(message: $0.message, hasPreview: hasPreview) : nil
      } ?? .registered(hasPreview: hasPreview)
    case .refused:
      return .refused(
        code: refusal(of: reference)?.code.rawValue ?? "refused",
        message: artwork.error?.message ?? "")
    }
  }

  /// Removes an artwork, and its video unless another artwork has the same. The cover goes with the last variant.
  ///
  /// - Returns: `false` when the artwork is unknown.
  /// - Throws: `in-use` while a session publishes it.
  package func remove(_ reference: ArtworkReference) async throws(StoreError) -> Bool {
    let former = core.record(reference)
    let publishers = publishers.withLock(\.self)
    // On the thread on which sessions change, so that none begins to publish it in between.
    let wasThere = try await onDisk { core throws(StoreError) in
      if core.record(reference) != nil, let count = publishers?(reference), count > 0 {
        throw StoreError.inUse(reference, by: count)
      }
      return try core.forget(reference)
    }
    if wasThere {
      if let former { cancelIngestion(of: reference, from: former.source) }
      if let digest = former?.digest, core.names(of: digest).isEmpty {
        renditions.cancel { $0.digest == digest }
      }
    }
    refusals[.source(reference)] = nil
    if wasThere {
      notifyChange(of: reference)
      if reference.key != nil { try await removeCover(ofLast: reference) }
    }
    return wasThere
  }
}

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
