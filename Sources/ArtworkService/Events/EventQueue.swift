import ArtworkStore
import Synchronization

/// What waits for one listener: bounded, and never in anybody's way. A listener that sleeps loses events and is told so.
final class EventQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    var hasMissed = false
    var isFinished = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let missed: String
  /// One signal is enough to look at everything.
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// - Parameter missed: what is told instead of everything that did not fit.
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

  /// A sign of life, which nobody needs who has something else to read.
  func addIfEmpty(_ text: String) {
    let isAdded = state.withLock { state in
      guard state.waiting.isEmpty, !state.hasMissed, !state.isFinished else { return false }
      state.waiting.append(text)
      return true
    }
    if isAdded { signal.yield() }
  }

  /// What waits is still delivered.
  func finish() {
    state.withLock { $0.isFinished = true }
    signal.finish()
  }

  /// Everything that waits, each time that there is something; one listener only.
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
