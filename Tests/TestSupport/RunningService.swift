package import ArtworkPipeline
package import ArtworkService
import Fixtures
import Foundation
import Logging
import SystemPackage

/// A service in this process, with its own folder.
package final class RunningService: Sendable {
  package let folder: TemporaryFolder
  package let center: NowPlayingCenter
  package let sockets: ServiceSockets
  private let service: HTTPService
  private let task: Task<Void, any Error>

  /// - Parameters:
  ///   - inspector: of a store; by default a real one, without workers.
  ///   - clipMaker: of a store; by default none.
  ///   - clock: seconds since 1970; by default the time.
  ///   - passed: by a clock that is never set; by default the time that passes by `clock`.
  ///   - commandTimeout: how long an owner may take; by default a minute, however busy the machine is.
  ///   - grace: how long a session outlives its last connection; by default 2 s.
  package init(
    _ change: (inout ServiceLimits) -> Void = { _ in }, onTCP: Bool = false,
    inspector: any CandidateInspector = Inspector(), clipMaker: (any JobRunner)? = nil,
    clock: (@Sendable () -> Double)? = nil, passed: (@Sendable () -> Double)? = nil,
    commandTimeout: Duration? = nil,
    grace: Duration? = nil, store change2: (inout AssetStore.Options) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    var options = AssetStore.Options(folder: folder.path("store"))
    change2(&options)
    let store = try AssetStore.open(options, inspector: inspector, clipMaker: clipMaker)
    var centerOptions = NowPlayingCenter.Options()
    if let clock { centerOptions.secondsSince1970 = clock }
    if let passed = passed ?? clock { centerOptions.secondsSinceSystemStart = passed }
    centerOptions.commandTimeout = commandTimeout ?? .seconds(60)
    if let grace { centerOptions.grace = grace }
    center = try await NowPlayingCenter(store: store, options: centerOptions)
    var addresses = ServiceSockets.Addresses(socket: folder.path("run/a.sock"))
    if onTCP { addresses.loopback = LoopbackAddress(port: 0) }
    sockets = try ServiceSockets(addresses, environment: [:])
    var limits = ServiceLimits()
    // Requests of tests wait, however busy the machine is.
    limits.answer = .seconds(28)
    change(&limits)
    var logger = Logger(label: "artworkd.test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let service = HTTPService(
      center: center, sockets: sockets, limits: limits, version: "test", environment: [:],
      logger: logger)
    self.service = service
    task = Task { try await service.run() }
  }

  deinit { task.cancel() }

  /// Ends it as a signal would.
  package func stop() async throws {
    service.stop()
    try await task.value
  }

  package var local: ListeningSocket.Place { sockets.listening[0].place }
  package var loopback: ListeningSocket.Place { sockets.listening[1].place }

  package func client() throws -> RawClient { try RawClient(local, of: self) }

  /// The header fields that a client over TCP sends.
  package var host: String {
    if case .loopback(let address) = loopback { "\(address)" } else { "" }
  }

  package func register(_ id: String, _ fixture: String, key: String = "1x1") throws
    -> RawClient.Answer
  {
    let path = Fixture.named(fixture).url.path
    return try client().ask(
      "PUT", "/v1/artworks/\(id)/\(key)", json: #"{"source":{"path":"\#(path)"}}"#)
  }
}
