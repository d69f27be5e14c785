import Synchronization

/// Waits for work only so long.
package enum Deadline {
  /// Cancels `work` when the time has passed. Comes back when it has ended, so that nothing of it goes on.
  ///
  /// - Throws: `late` when the time has passed, and what `work` throws.
  package static func run<R: Sendable>(
    _ time: Duration, late: @autoclosure @escaping @Sendable () -> any Error,
    _ work: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    try await withThrowingTaskGroup(of: R.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: time)
        throw late()
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  /// - Returns: what `work` returns; `nil` when that takes longer. The work goes on.
  static func first<R: Sendable>(
    of deadline: Duration, _ work: @escaping @Sendable () async -> R
  ) async -> R? {
    let race = Race<R>()
    return await withCheckedContinuation { continuation in
      race.start(continuation)
      let clock = Task {
        try? await Task.sleep(for: deadline)
        race.finish(nil)
      }
      Task {
        race.finish(await work())
        clock.cancel()
      }
    }
  }

  private final class Race<R: Sendable>: Sendable {
    private let waiter = Mutex<CheckedContinuation<R?, Never>?>(nil)

    func start(_ continuation: CheckedContinuation<R?, Never>) {
      waiter.withLock { $0 = continuation }
    }

    func finish(_ result: R?) {
      let continuation = waiter.withLock { waiter in
        defer { waiter = nil }
        return waiter
      }
      continuation?.resume(returning: result)
    }
  }
}
