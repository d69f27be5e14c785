import Dispatch
import Synchronization

/// Runs asynchronous work from `main`, which is synchronous: workers must be prepared before the concurrency runtime
/// has threads.
enum Blocking {
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await body()
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      isDone.signal()
    }
    isDone.wait()
    try outcome.withLock { $0 }?.get()
  }
}
