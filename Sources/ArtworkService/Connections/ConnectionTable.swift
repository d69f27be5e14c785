import ArtworkPipeline
import NIOCore
import Synchronization

/// The open connections.
final class ConnectionTable: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isStopping = false
    var refused = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { state.withLock { $0.channels.count } }
  /// Connections refused since the start.
  var refused: Int { state.withLock { $0.refused } }

  /// - Returns: `false` when the limit is reached or the service stops.
  func admit(_ channel: any Channel) -> Bool {
    let isAdmitted = state.withLock { state in
      guard state.channels.count < limit, !state.isStopping else {
        state.refused += 1
        return false
      }
      state.channels[ObjectIdentifier(channel)] = channel
      return true
    }
    if isAdmitted {
      channel.closeFuture.whenComplete { [weak channel] _ in
        guard let channel else { return }
        self.state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
      }
    }
    return isAdmitted
  }

  /// Notifies every connection once, and admits no more.
  func beginStopping() {
    let channels = state.withLock { state in
      defer { state.isStopping = true }
      return state.isStopping ? [] : Array(state.channels.values)
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
    for channel in state.withLock({ Array($0.channels.values) }) {
      channel.pipeline.fireUserInboundEventTriggered(StopEvent(isFinal: true))
    }
  }
}
