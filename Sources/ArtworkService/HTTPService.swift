import ArtworkPipeline
import CSystemCalls
import Dispatch
import Glibc
package import Logging
import NIOCore
import NIOPosix

/// HTTP in front of a ``NowPlayingCenter``.
package struct HTTPService: Sendable {
  private let center: NowPlayingCenter
  private let sockets: ServiceSockets
  private let limits: ServiceLimits
  private let logger: Logger
  private let supervisor: Supervisor
  private let version: String
  /// Ends with ``stop()``.
  private let serving: AsyncStream<Never>
  private let ending: AsyncStream<Never>.Continuation

  /// - Parameters:
  ///   - version: reported by `/healthz`.
  ///   - environment: `NOTIFY_SOCKET` names the socket of a service manager, which is notified when the service is ready.
  package init(
    center: NowPlayingCenter, sockets: ServiceSockets, limits: ServiceLimits = ServiceLimits(),
    version: String, environment: [String: String], logger: Logger
  ) {
    self.center = center
    self.sockets = sockets
    self.limits = limits
    self.version = version
    self.logger = logger
    supervisor = Supervisor(environment)
    (serving, ending) = AsyncStream.makeStream()
  }

  /// Lets ``run()`` end: running requests get ``ServiceLimits/stop`` to finish.
  package func stop() { ending.finish() }

  /// Runs the service until SIGTERM or SIGINT.
  package func runUntilSignal() async throws {
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { stop() }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    try await run()
  }

  /// Serves until ``stop()``. If the task is cancelled, running requests are dropped at once. Leases are kept.
  package func run() async throws {
    let limits = allowed
    let table = ConnectionTable(limits)
    let running = RunningWork()
    let log = RequestLog(logger: logger)
    let routes = Routes(center: center, log: log, version: version)
    let router = Router(routes.all, log: log)
    // Connections over TCP have separate threads, so that other users cannot keep this one waiting.
    let threads = sockets.token.map { _ in
      MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
    }
    defer { threads?.shutdownGracefully { _ in } }
    defer { sockets.removeOwnSocket() }
    try await withThrowingTaskGroup { group in
      group.addTask { await center.watch() }
      group.addTask {
        for await _ in table.drained {
          // More may be about to go.
          guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
          if table.consumeDidDrain() { artwork_return_memory() }
        }
      }
      var channels: [any Channel] = []
      var failure: (any Error)?
      do {
        for socket in sockets.listening {
          let services = ConnectionServices(
            router: router, admission: admission(of: socket, limits),
            onRefusal: { log.recordRefusal($0) }, running: running)
          channels.append(
            try await Listener(
              socket: socket, threads: socket.place.isLocal ? .singleton : threads ?? .singleton,
              services: services, limits: limits, table: table, logger: logger
            ).listen())
          // A socket that fails ends the service.
          channels.last?.closeFuture.whenComplete { _ in stop() }
        }
        if !supervisor.notify(.ready) { logger.warning("the service manager cannot be notified") }
        for await _ in serving {}
        if !Task.isCancelled, channels.contains(where: { !$0.isActive }) {
          failure = StartError.failed("listen any longer", .badFileDescriptor)
        }
      } catch {
        failure = error
      }
      _ = supervisor.notify(.stopping)
      // Before the sockets close, so that a connection that is being accepted knows of the stop.
      table.beginStopping()
      for channel in channels { channel.close(promise: nil) }
      await table.stop(within: failure == nil ? limits.stop : .zero)
      await running.waitForEnd()
      group.cancelAll()
      if let failure { throw failure }
    }
  }

  /// The limits that this machine allows: Unix sockets and TCP have equal shares, and the store, workers and the index need
  /// descriptors as well.
  private var allowed: ServiceLimits {
    var limits = limits
    let shares = Set(sockets.listening.map(\.place.isLocal)).count
    let share = (DescriptorLimit.raise() - 128) / max(1, shares)
    limits.connections = max(16, min(limits.connections, share))
    return limits
  }

  private func admission(of socket: ListeningSocket, _ limits: ServiceLimits) -> Admission {
    guard case .loopback(let address) = socket.place, let token = sockets.token else {
      return Admission(transport: .local, limits: limits)
    }
    return Admission(
      transport: .loopback(hosts: address.hosts, token: token), limits: limits)
  }
}
