import ArtworkPipeline
import NIOCore
import Synchronization

/// The open connections. Unix sockets and TCP have places of their own, so that other users, who can reach only TCP, take
/// none from this one.
final class ConnectionTable: Sendable {
  enum Kind: Hashable {
    /// At a Unix socket.
    case local
    /// Over TCP, and has shown the token.
    case known
    /// Over TCP, and has not shown the token.
    case stranger
  }

  private struct State {
    var channels: [ObjectIdentifier: (channel: any Channel, kind: Kind)] = [:]
    var counts: [Kind: Int] = [:]
    var isStopping = false
    var refused = 0

    func count(_ kinds: Kind...) -> Int { kinds.reduce(0) { $0 + counts[$1, default: 0] } }
  }

  private let state = Mutex(State())
  private let limits: ServiceLimits

  init(_ limits: ServiceLimits) { self.limits = limits }

  var count: Int { state.withLock { $0.channels.count } }
  /// Connections refused since the start.
  var refused: Int { state.withLock { $0.refused } }

  /// - Returns: `false` when a limit is reached or the service stops.
  func admit(_ channel: any Channel, isLocal: Bool) -> Bool {
    let isAdmitted = state.withLock { state in
      let hasRoom =
        isLocal
        ? state.count(.local) < limits.connections
        : state.count(.stranger) < limits.strangers
          && state.count(.known, .stranger) < limits.connections
      guard hasRoom, !state.isStopping else {
        state.refused += 1
        return false
      }
      let kind: Kind = isLocal ? .local : .stranger
      state.channels[ObjectIdentifier(channel)] = (channel, kind)
      state.counts[kind, default: 0] += 1
      return true
    }
    if isAdmitted {
      channel.closeFuture.whenComplete { [weak channel] _ in
        guard let channel else { return }
        self.state.withLock { state in
          guard let entry = state.channels.removeValue(forKey: ObjectIdentifier(channel)) else {
            return
          }
          state.counts[entry.kind, default: 0] -= 1
        }
      }
    }
    return isAdmitted
  }

  /// Frees the place of a stranger, who has shown the token.
  func trust(_ channel: any Channel) {
    state.withLock { state in
      let name = ObjectIdentifier(channel)
      guard state.channels[name]?.kind == .stranger else { return }
      state.channels[name]?.kind = .known
      state.counts[.stranger, default: 0] -= 1
      state.counts[.known, default: 0] += 1
    }
  }

  /// Notifies every connection once, and admits no more.
  func beginStopping() {
    let channels = state.withLock { state in
      defer { state.isStopping = true }
      return state.isStopping ? [] : state.channels.values.map(\.channel)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(StopEvent()) }
  }

  /// Idle connections close at once, others after their requests. When the time is up or the task is cancelled, the rest is
  /// closed.
  func stop(within time: TimeAmount) async {
    beginStopping()
    let end = NIODeadline.now() + time
    while count > 0, NIODeadline.now() < end, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(20))
    }
    for channel in state.withLock({ $0.channels.values.map(\.channel) }) {
      channel.pipeline.fireUserInboundEventTriggered(StopEvent(isFinal: true))
    }
  }
}
