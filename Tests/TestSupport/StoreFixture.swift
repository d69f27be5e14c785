package import ArtworkModel
package import ArtworkPipeline
package import ArtworkService
import Fixtures
package import Foundation
package import Logging
import Synchronization
package import SystemPackage
import Testing

/// A store in a new folder, removed with this object, and files to put into it.
package final class StoreFixture: Sendable {
  package let folder: TemporaryFolder
  package let inspector: ScriptedInspector

  package init(inspector: ScriptedInspector = ScriptedInspector()) throws {
    self.inspector = inspector
    folder = try TemporaryFolder()
  }

  package var root: FilePath { folder.path("store") }

  package func open(
    fetcher: (any ArtworkFetcher)? = nil, _ change: (inout AssetStore.Options) -> Void = { _ in }
  ) throws -> AssetStore {
    var options = AssetStore.Options(folder: root)
    change(&options)
    return try AssetStore.open(options, inspector: inspector, fetcher: fetcher, logger: Self.quiet)
  }

  /// Sessions over a store that end soon after their last connection.
  package func center(
    _ store: AssetStore, _ change: (inout NowPlayingCenter.Options) -> Void = { _ in }
  ) async throws -> NowPlayingCenter {
    var options = NowPlayingCenter.Options()
    options.grace = .milliseconds(50)
    change(&options)
    return try await NowPlayingCenter(store: store, options: options)
  }

  /// Opens the store once its last owner has released it.
  package func reopened(
    _ change: (inout AssetStore.Options) -> Void = { _ in }
  ) async throws -> AssetStore {
    var store: AssetStore?
    #expect(
      try await eventually {
        store = try? open(fetcher: nil, change)
        return store != nil
      })
    return try #require(store)
  }

  package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Writes a file and returns it as a source.
  package func source(_ text: String, name: String = "video.mp4", immutable: Bool = false) throws
    -> ArtworkSource
  {
    try folder.write(text, to: name)
    return .file(path: folder.url(name).path, immutable: immutable)
  }

  /// Puts a file of this text, which is named as its artwork unless it has a name of its own.
  @discardableResult
  package func put(
    _ artwork: String, _ text: String, name: String? = nil, into store: AssetStore
  ) async throws -> ArtworkRecord {
    try await store.put(Self.reference(artwork), source(text, name: name ?? artwork)).artwork
  }

  /// A store with sessions over it.
  package func running(
    _ change: (inout AssetStore.Options) -> Void = { _ in }
  ) async throws -> (store: AssetStore, center: NowPlayingCenter) {
    let store = try open(change)
    return (store, try await center(store))
  }

  /// Removes the index of the closed store.
  package func removeIndex() {
    for suffix in ["", "-wal", "-shm"] { try? folder.remove("store/index.sqlite" + suffix) }
  }

  package static func reference(_ name: String, _ key: ArtworkKey = .square) throws
    -> ArtworkReference
  {
    ArtworkReference(try #require(ArtworkID(name)), key)
  }
}

extension NowPlayingCenter {
  /// The lease of a session on the video that it publishes.
  package func lease(
    _ session: SessionID, of application: String? = nil, _ key: ArtworkKey = .square,
    size: PixelSize? = nil
  ) async throws -> Lease {
    let answer = try await video(
      for: session, of: application, key, size: size, within: .seconds(60))
    guard case .video(let lease) = answer else { throw StoreError(.failed, "no video: \(answer)") }
    return lease
  }

  /// Why a session gets no video; `nil` if it gets one.
  package func reason(
    _ session: SessionID, _ key: ArtworkKey = .square, within limit: Duration = .seconds(20)
  ) async throws -> Presentation.Reason? {
    guard case .none(let code, let message) = try await video(for: session, key, within: limit)
    else { return nil }
    return Presentation.Reason(code: code, message: message)
  }
}

extension AsyncStream<ServiceEvent>.Iterator {
  /// The events up to this one.
  package mutating func all(until last: ServiceEvent) async -> [ServiceEvent] {
    var events: [ServiceEvent] = []
    while events.last != last, let event = await next() { events.append(event) }
    return events
  }
}

/// The error of the store that something ends with; `nil` if it succeeds.
package func refusal<Value>(_ body: () async throws -> Value) async -> StoreError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? StoreError
  }
}

/// Takes every file for the same square clip. Notes its inspections, waits on request, and refuses files that begin with
/// `bad`.
package final class ScriptedInspector: CandidateInspector {
  private struct State {
    var texts: [String] = []
    var delay: TimeInterval = 0
    var released: Set<String> = []
    var stopped = 0
    var preview: [UInt8]?
  }

  private let state = Mutex(State())

  package init() {}
  private static let inspected = Result {
    let inspection = try Inspector().inspect(Fixture.named("good-1x1-2s.mp4").path).inspection
    let size = PixelSize(
      width: inspection.facts.displayWidth, height: inspection.facts.displayHeight)
    return InspectedCandidate(inspection: inspection, preview: try PNGEncoder.encode(grey(size)))
  }

  /// A picture that makes a small file.
  private static func grey(_ size: PixelSize) -> PixelImage {
    PixelImage(
      size: size, channels: .rgb, bytes: Array(repeating: 99, count: size.width * size.height * 3))
  }

  /// The size in bytes of ``preview`` alone.
  package static var previewBytes: Int { get throws { try inspected.get().preview?.count ?? 0 } }

  package var inspections: Int { texts.count }
  /// The contents of the files that were inspected, in their order.
  package var texts: [String] { state.withLock(\.texts) }
  /// Inspections that were cancelled.
  package var stopped: Int { state.withLock(\.stopped) }
  /// The bytes of previews, instead of a grey picture.
  package var preview: [UInt8]? {
    get { state.withLock(\.preview) }
    set { state.withLock { $0.preview = newValue } }
  }
  package var delay: TimeInterval {
    get { state.withLock(\.delay) }
    set { state.withLock { $0.delay = newValue } }
  }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request, isCancelled: { false })
  }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    guard let bytes = candidate.contents(atMost: 1 << 20) else {
      throw InspectionError(.unreadable, "cannot be read")
    }
    let start = Date()
    state.withLock { $0.texts.append(String(decoding: bytes.prefix(100), as: UTF8.self)) }
    // Read each time, so that a test can end the wait by setting it to 0.
    while Date() < start + delay, !isReleased(bytes) {
      if isCancelled() {
        state.withLock { $0.stopped += 1 }
        throw InspectionError(.workerFailed, "not wanted")
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    if bytes.starts(with: "bad".utf8) { throw InspectionError(.notAMovie, "no movie") }
    do {
      var inspected = try Self.inspected.get()
      if let preview { inspected.preview = preview }
      return inspected
    } catch {
      throw InspectionError(.workerFailed, "\(error)")
    }
  }

  /// Ends the wait of the inspection of a file with these contents, now or later.
  package func release(_ text: String) { state.withLock { _ = $0.released.insert(text) } }

  private func isReleased(_ bytes: [UInt8]) -> Bool {
    state.withLock { $0.released.contains(String(decoding: bytes, as: UTF8.self)) }
  }

  package func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    throw InspectionError(.notAMovie, "no picture")
  }

  package func drawCrop(
    of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts
  ) throws(InspectionError) -> [UInt8] {
    throw InspectionError(.notCopied, "no picture")
  }
}

/// Waits until a condition holds, at most a minute.
package func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<6000 {
    if try await isSo() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return false
}
