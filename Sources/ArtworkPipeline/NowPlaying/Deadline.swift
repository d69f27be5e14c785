import Synchronization

/// Waits for work only so long.
enum Deadline {
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
