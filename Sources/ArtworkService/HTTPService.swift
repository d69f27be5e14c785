import ArtworkPipeline
package import ArtworkStore
import CSystemCalls
import FoundationEssentials
import Hummingbird
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// HTTP in front of a ``NowPlayingCenter``.
package struct HTTPService: Service, CustomStringConvertible {
  private let center: NowPlayingCenter
  private let sockets: ServiceSockets
  private let limits: ServiceLimits
  private let logger: Logger
  private let supervisor: Supervisor
  private let version: String

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
  }

  /// Serves until graceful shutdown, which gives running requests ``ServiceLimits/stop`` to finish. If the task is
  /// cancelled, they are dropped at once. Leases are kept.
  package func run() async throws {
    let limits = allowed
    let table = ConnectionTable(limits)
    let metrics = ServiceMetrics()
    let log = RequestLog(metrics: metrics, logger: logger)
    let previews = PreviewShortcut(store: center.store, log: log)
    let routes = Routes(
      center: center, metrics: metrics, connections: table, previews: previews, version: version)
    let responder = Responder(router: routes.router().buildResponder(), log: log)
    // Connections over TCP have separate threads, so that other users cannot keep this one waiting.
    let threads = sockets.token.map { _ in
      MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
    }
    defer { threads?.shutdownGracefully { _ in } }
    let listeners = sockets.listening.map { socket in
      Listener(
        socket: socket, threads: socket.place.isLocal ? .singleton : threads ?? .singleton,
        admission: admission(of: socket, limits), limits: limits, table: table, metrics: metrics,
        respond: { await responder.respond(to: $0, $1) }, shortcut: previews, logger: logger)
    }
    let gate = AcceptSwitch(count: listeners.count) { [supervisor, logger] in
      if !supervisor.notify(.ready) { logger.warning("the service manager cannot be notified") }
    }
    defer { sockets.removeOwnSocket() }
    try await withThrowingTaskGroup { group in
      group.addTask { await center.watch() }
      group.addTask {
        while (try? await Task.sleep(for: .seconds(2))) != nil {
          if table.consumeDidDrain() { artwork_return_memory() }
        }
      }
      group.addTask {
        // Returns on graceful shutdown, throws when the task is cancelled.
        try? await gracefulShutdown()
        _ = supervisor.notify(.stopping)
        // Before the sockets close, so that a connection that is being accepted knows of the stop.
        table.beginStopping()
        gate.close()
        await table.stop(within: limits.stop)
      }
      try await withThrowingTaskGroup { serving in
        for listener in listeners {
          serving.addTask { try await listener.run { gate.open($0) } }
        }
        do {
          while try await serving.next() != nil {}
        } catch {
          gate.close()
          await table.stop(within: .zero)
          throw error
        }
      }
      group.cancelAll()
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
      return Admission(transport: .local, bodyLimit: limits.body)
    }
    return Admission(
      transport: .loopback(hosts: address.hosts, token: token), bodyLimit: limits.body)
  }

  package var description: String { "ArtworkService" }

  /// Runs the service until SIGTERM or SIGINT.
  package func runUntilSignal() async throws {
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: self)], gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger))
    try await group.run()
  }
}
