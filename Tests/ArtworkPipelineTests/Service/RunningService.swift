import ArtworkPipeline
import Fixtures
import Foundation
import Logging
import ServiceLifecycle
import SystemPackage

@testable import ArtworkService

/// A service in this process, in a folder of its own.
final class RunningService: Sendable {
  let folder: TemporaryFolder
  let center: NowPlayingCenter
  let sockets: ServiceSockets
  private let group: ServiceGroup
  private let task: Task<Void, any Error>

  /// - Parameter inspector: of a store; by default a real one, without workers.
  init(
    _ change: (inout ServiceLimits) -> Void = { _ in }, onTCP: Bool = false,
    inspector: any CandidateInspector = Inspector(),
    store change2: (inout ArtworkStore.Options) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    var options = ArtworkStore.Options(folder: folder.path("store"))
    change2(&options)
    let store = try ArtworkStore.open(options, inspector: inspector)
    center = try await NowPlayingCenter(store: store)
    var wishes = ServiceSockets.Wishes(socket: folder.path("run/a.sock"))
    if onTCP { wishes.loopback = LoopbackAddress(port: 0) }
    sockets = try ServiceSockets(wishes, environment: [:])
    var limits = ServiceLimits()
    change(&limits)
    var logger = Logger(label: "artworkd.test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let service = ArtworkService(
      center: center, sockets: sockets, limits: limits, version: "test", environment: [:],
      logger: logger)
    let group = ServiceGroup(
      configuration: .init(services: [.init(service: service)], logger: logger))
    self.group = group
    task = Task { try await group.run() }
  }

  deinit { task.cancel() }

  /// Ends it as a signal would.
  func stop() async throws {
    await group.triggerGracefulShutdown()
    try await task.value
  }

  var local: ListeningSocket.Place { sockets.listening[0].place }
  var loopback: ListeningSocket.Place { sockets.listening[1].place }

  func client() throws -> RawClient { try RawClient(local, of: self) }

  /// What a client over TCP sends along.
  var host: String {
    if case .loopback(let address) = loopback { "\(address)" } else { "" }
  }

  func register(_ id: String, _ fixture: String, key: String = "1x1") throws -> RawClient.Answer {
    let path = Fixture.named(fixture).url.path
    return try client().ask(
      "PUT", "/v1/artworks/\(id)/\(key)", json: #"{"source":{"path":"\#(path)"}}"#)
  }
}
