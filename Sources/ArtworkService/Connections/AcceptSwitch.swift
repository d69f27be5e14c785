import ArtworkPipeline
import NIOCore
import Synchronization

/// Waits until every socket listens, and closes all of them together.
final class AcceptSwitch: Sendable {
  private struct State {
    var channels: [any Channel] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let count: Int
  private let onOpen: @Sendable () -> Void

  /// - Parameter onOpen: called once `count` sockets listen.
  init(count: Int, onOpen: @escaping @Sendable () -> Void) {
    self.count = count
    self.onOpen = onOpen
  }

  func open(_ channel: any Channel) {
    let (isComplete, isClosed) = state.withLock { state in
      state.channels.append(channel)
      return (state.channels.count == count, state.isClosed)
    }
    if isClosed { channel.close(promise: nil) }
    if isComplete { onOpen() }
  }

  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      return state.channels
    }
    for channel in channels { channel.close(promise: nil) }
  }
}
