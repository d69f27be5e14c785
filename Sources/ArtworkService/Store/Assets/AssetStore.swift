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
