import Synchronization

/// Messages that wait for one listener. Bounded, and never blocks the sender: a slow listener loses messages and receives
/// `missed`.
final class EventQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    var hasMissed = false
    var isFinished = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let missed: String
  /// One waiting signal is enough: the listener then takes all messages.
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// - Parameter missed: the message that replaces those that did not fit.
  init(limit: Int, missed: String) {
    self.limit = limit
    self.missed = missed
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ text: String) {
    state.withLock { state in
      guard !state.isFinished else { return }
      if state.waiting.count < limit { state.waiting.append(text) } else { state.hasMissed = true }
    }
    signal.yield()
  }

  /// Adds a message whose loss the sender must know.
  ///
  /// - Returns: `false` if there is no room for it, and after ``finish()``.
  func addIfRoom(_ text: String) -> Bool {
    let isAdded = state.withLock { state in
      guard !state.isFinished, state.waiting.count < limit else { return false }
      state.waiting.append(text)
      return true
    }
    if isAdded { signal.yield() }
    return isAdded
  }

  /// Adds a message ahead of all others, regardless of the limit.
  func addFirst(_ text: String) {
    state.withLock { $0.waiting.insert(text, at: 0) }
    signal.yield()
  }

  /// Adds a heartbeat, which is only needed if the queue is empty.
  func addIfEmpty(_ text: String) {
    let isAdded = state.withLock { state in
      guard state.waiting.isEmpty, !state.hasMissed, !state.isFinished else { return false }
      state.waiting.append(text)
      return true
    }
    if isAdded { signal.yield() }
  }

  /// Waiting messages are still delivered.
  func finish() {
    state.withLock { $0.isFinished = true }
    signal.finish()
  }

  /// Passes waiting messages on until ``finish()``. Has one listener.
  func deliver(to listener: (String) async throws -> Void) async throws {
    for await _ in signals { try await pass(on: listener) }
    try await pass(on: listener)
  }

  private func pass(on listener: (String) async throws -> Void) async throws {
    let text = state.withLock { state in
      var text = state.waiting.joined()
      if state.hasMissed { text += missed }
      state.waiting = []
      state.hasMissed = false
      return text
    }
    if !text.isEmpty { try await listener(text) }
  }
}
