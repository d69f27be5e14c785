import ArtworkModel
import Dispatch
import Synchronization

/// Runs blocking work on a few threads behind a bounded queue.
final class WorkPool: Sendable {
  private struct State {
    /// Idle threads.
    var idle: [DispatchQueue]
    /// Callers that wait for a thread, in the order of their arrival.
    var queue: [(ticket: UInt64, start: CheckedContinuation<DispatchQueue?, Never>)] = []
    var running = 0
    var tickets: UInt64 = 0
  }

  private let state: Mutex<State>
  private let waiting: Int

  /// - Parameters:
  ///   - jobs: the number of threads, at least 1.
  ///   - waiting: the number of callers that may wait for a thread.
  init(jobs: Int, waiting: Int) {
    // Each serial queue gets a thread of its own.
    let queues = (0..<max(1, jobs)).map { DispatchQueue(label: "artworkd.store.\($0)") }
    state = Mutex(State(idle: queues))
    self.waiting = waiting
  }

  /// Jobs that were ever begun or refused.
  var calls: UInt64 { state.withLock(\.tickets) }

  /// Jobs that run or wait.
  var pending: Int { state.withLock { $0.running + $0.queue.count } }

  /// Runs `body` on one of the threads. When the caller's task is cancelled, `isCancelled` becomes true, and a job that
  /// still waits does not start.
  ///
  /// - Throws: `busy` when the queue is full, `late` when the caller is cancelled before the start, and what `body` throws.
  func run<R: Sendable>(
    _ body:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(StoreError) -> R
  ) async throws(StoreError) -> R {
    guard let thread = try await turn() else {
      throw StoreError.cancelled
    }
    let isCancelled = Cancellation()
    let result: Result<R, StoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        thread.async {
          let result = Result { () throws(StoreError) in try body { isCancelled.isSet } }
          self.finish(thread)
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      isCancelled.set()
    }
    return try result.get()
  }

  private final class Cancellation: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock(\.self) }
    func set() { flag.withLock { $0 = true } }
  }

  private enum Turn {
    case now(DispatchQueue)
    case later
    case never
  }

  /// - Returns: `nil` when cancelled.
  private func turn() async throws(StoreError) -> DispatchQueue? {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    let refusal = Mutex(false)
    let thread = await withTaskCancellationHandler {
      await withCheckedContinuation { (start: CheckedContinuation<DispatchQueue?, Never>) in
        let turn: Turn = state.withLock { state in
          if let thread = state.idle.popLast() {
            state.running += 1
            return .now(thread)
          }
          if Task.isCancelled || state.queue.count >= waiting { return .never }
          state.queue.append((ticket, start))
          return .later
        }
        switch turn {
        case .now(let thread): start.resume(returning: thread)
        case .later: break
        case .never:
          refusal.withLock { $0 = true }
          start.resume(returning: nil)
        }
      }
    } onCancel: {
      let start = state.withLock { state in
        state.queue.firstIndex { $0.ticket == ticket }.map { state.queue.remove(at: $0).start }
      }
      start?.resume(returning: nil)
    }
    if thread == nil, refusal.withLock({ $0 }), !Task.isCancelled {
      throw StoreError(.busy, "queue limit reached (\(waiting) requests); ask again in a moment")
    }
    return thread
  }

  private func finish(_ thread: DispatchQueue) {
    let next = state.withLock { state in
      if state.queue.isEmpty {
        state.running -= 1
        state.idle.append(thread)
        return nil as CheckedContinuation<DispatchQueue?, Never>?
      }
      return state.queue.removeFirst().start
    }
    next?.resume(returning: thread)
  }
}
