import Synchronization

/// Limits how long a caller waits for work.
package enum Deadline {
  /// Cancels `work` after the deadline, and returns when it has ended.
  ///
  /// - Throws: `late` after the deadline, and the errors of `work`.
  package static func run<R: Sendable>(
    _ time: Duration, late: @autoclosure @escaping @Sendable () -> any Error,
    _ work: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    try await withThrowingTaskGroup(of: R?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        // When the caller is cancelled, the work decides the result.
        guard (try? await Task.sleep(for: time)) != nil else { return nil }
        throw late()
      }
      defer { group.cancelAll() }
      while let ended = try await group.next() {
        if let result = ended { return result }
      }
      throw CancellationError()
    }
  }

  /// Calls its argument when the wait must end; the returned closure cancels that.
  package typealias Stop =
    @Sendable (_ giveUp: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)

  /// Waits for work that continues after the deadline. Cancelling the caller before the deadline cancels the work,
  /// and so does `stop`.
  ///
  /// - Throws: `late` after the deadline, and the errors of `work`.
  package static func lend<R: Sendable>(
    _ time: Duration, unless stop: Stop? = nil, late: @autoclosure () -> any Error,
    _ work: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    let task = Task { try await work() }
    // No client retries once the service stops.
    let both: Stop = { giveUp in
      let takeBack = stop? {
        giveUp()
        task.cancel()
      }
      return { takeBack?() }
    }
    let result = await withTaskCancellationHandler {
      await first(of: time, unless: both) { await task.result }
    } onCancel: {
      task.cancel()
    }
    if let result { return try result.get() }
    throw late()
  }

  /// - Parameters:
  ///   - deadline: `nil` for work that ends by itself.
  ///   - stop: ends the wait, beside the deadline.
  /// - Returns: the result of `work`; `nil` if it takes longer or the caller is cancelled. The work continues.
  package static func first<R: Sendable>(
    of deadline: Duration?, unless stop: Stop? = nil, _ work: @escaping @Sendable () async -> R
  ) async -> R? {
    let race = Race<R>()
    let release = stop?({ race.finish(nil) })
    defer { release?() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        race.start(continuation)
        let clock = deadline.map { deadline in
          Task {
            try? await Task.sleep(for: deadline)
            race.finish(nil)
          }
        }
        Task {
          race.finish(await work())
          clock?.cancel()
        }
      }
    } onCancel: {
      race.finish(nil)
    }
  }

  private final class Race<R: Sendable>: Sendable {
    private enum State {
      case notStarted
      case running(CheckedContinuation<R?, Never>)
      case finished
    }

    private let state = Mutex(State.notStarted)

    func start(_ continuation: CheckedContinuation<R?, Never>) {
      let isCancelled = state.withLock { state in
        if case .finished = state { return true }
        state = .running(continuation)
        return false
      }
      if isCancelled { continuation.resume(returning: nil) }
    }

    func finish(_ result: R?) {
      let old = state.withLock { state in
        defer { state = .finished }
        return state
      }
      if case .running(let continuation) = old { continuation.resume(returning: result) }
    }
  }
}
