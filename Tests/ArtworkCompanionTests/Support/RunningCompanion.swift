import ArtworkClients
import TestSupport

@testable import ArtworkCompanion

/// A service, a message bus and a companion between them.
final class RunningCompanion: Sendable {
  let service: RunningService
  let bus: MessageBus
  let music: TemporaryFolder
  let client: ArtworkClient
  private let lines = Lines()
  private let task: Task<Void, any Error>

  private final class Lines: Sendable { let all = Mutex<[String]>([]) }

  init(
    bus: MessageBus? = nil, inspector: any CandidateInspector = Inspector(),
    _ change: (inout Companion.Options) -> Void = { _ in }
  ) async throws {
    let bus = try bus ?? MessageBus()
    self.bus = bus
    let service = try await RunningService(inspector: inspector)
    self.service = service
    music = try TemporaryFolder()
    let previews = bus.folder.path("previews")
    try FileManager.default.createDirectory(
      atPath: previews.string, withIntermediateDirectories: true)
    // An earlier companion was killed.
    try Data().write(to: bus.folder.url("previews/left.png"))
    let client = ArtworkClient(.socket(path: service.folder.path("run/a.sock").string))
    self.client = client
    var options = Companion.Options(
      places: ArtworkLookup.Places(music: [music.path("")]), previews: previews)
    (options.session, options.system) = (bus.address, bus.address)
    // However busy the machine is, a track gets its artwork with its title.
    options.lookupTime = .seconds(60)
    change(&options)
    let companion = Companion(options, client) { [lines] line in
      lines.all.withLock { $0.append(line) }
    }
    let (ready, isReady) = AsyncStream<Void>.makeStream()
    task = Task {
      defer { isReady.finish() }
      try await companion.run { isReady.finish() }
    }
    for await _ in ready {}
  }

  deinit { task.cancel() }

  /// Its output lines.
  var said: [String] { lines.all.withLock { $0 } }

  func stop() async throws {
    task.cancel()
    try await task.value
  }

  /// Waits until it ends on its own, and throws its error.
  func untilEnded() async throws { try await task.value }

  /// The only session.
  func session() async throws -> MediaSession? {
    let sessions = try await client.sessions()
    return sessions.count == 1 ? sessions[0].session : nil
  }

  /// Waits for the only session to have a title.
  func session(titled title: String) async throws -> MediaSession {
    try await eventually("no session is titled \(title)") {
      let session = try await session()
      return session?.content?.title == title ? session : nil
    }
  }
}
