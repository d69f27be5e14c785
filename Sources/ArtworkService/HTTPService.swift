import ArtworkPipeline
package import ArtworkStore
import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// HTTP in front of a ``NowPlayingCenter``.
package struct HTTPService: Service, CustomStringConvertible {
  private let center: NowPlayingCenter
  private let sockets: ServiceSockets
  private let limits: ServiceLimits
  private let logger: Logger
  private let supervisor: Supervisor
  private let version: String

  /// - Parameters:
  ///   - version: told by `/healthz`.
  ///   - environment: `NOTIFY_SOCKET` names a service manager that wants to know when the service is ready.
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

  /// Serves until the task is told to stop gracefully; then what runs is finished, within ``ServiceLimits/stop``, and
  /// what is left is given up. When the task is cancelled, it is given up at once. Leases stay.
  package func run() async throws {
    let limits = allowed
    let table = ConnectionTable(limit: limits.connections)
    let metrics = ServiceMetrics()
    let log = RequestLog(metrics: metrics, logger: logger)
    let previews = PreviewShortcut(store: center.store, log: log)
    let routes = Routes(
      center: center, metrics: metrics, connections: table, previews: previews, version: version)
    let responder = Responder(router: routes.router().buildResponder(), log: log)
    let listeners = sockets.listening.map { socket in
      Listener(
        socket: socket, admission: admission(of: socket, limits), limits: limits, table: table,
        metrics: metrics, respond: { await responder.respond(to: $0, $1) }, shortcut: previews,
        logger: logger)
    }
    let gate = ListeningGate(count: listeners.count) { [supervisor, logger] in
      if !supervisor.tell(.ready) { logger.warning("the service manager cannot be told") }
    }
    defer { sockets.tidy() }
    try await withThrowingTaskGroup { group in
      group.addTask { await center.watch() }
      group.addTask {
        // Returns when the service is told to stop, throws when its task is cancelled.
        try? await gracefulShutdown()
        _ = supervisor.tell(.stopping)
        // Before nobody is let in any more: who is being let in must know that it ends.
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

  /// The limits that this machine can keep: files of the store, workers and the index need descriptors as well.
  private var allowed: ServiceLimits {
    var limits = limits
    limits.connections = max(16, min(limits.connections, DescriptorLimit.raise() - 128))
    return limits
  }

  private func admission(of socket: ListeningSocket, _ limits: ServiceLimits) -> Admission {
    guard case .loopback(let address) = socket.place, let token = sockets.token else {
      return Admission(entrance: .local, bodyLimit: limits.body)
    }
    return Admission(
      entrance: .loopback(hosts: address.hosts, token: token), bodyLimit: limits.body)
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
