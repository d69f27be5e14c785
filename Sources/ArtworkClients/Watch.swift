import Synchronization

/// An observable value.
final class Watch<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var now: Value
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    var lastListener = 0
    var isFinished = false
  }

  private let state: Mutex<State>

  init(_ now: Value) { state = Mutex(State(now: now)) }

  var now: Value { state.withLock(\.now) }

  /// The current value, and then each change. A slow reader gets only the latest.
  func changes() -> AsyncStream<Value> {
    let (changes, listener) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      listener.yield(state.now)
      guard !state.isFinished else { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return state.lastListener
    }
    guard let number else {
      listener.finish()
      return changes
    }
    listener.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return changes
  }

  func change(_ body: (inout Value) -> Void) {
    state.withLock { state in
      let former = state.now
      body(&state.now)
      // Within the lock, so that listeners get the changes in their order.
      if state.now != former {
        for listener in state.listeners.values { listener.yield(state.now) }
      }
    }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }
}
