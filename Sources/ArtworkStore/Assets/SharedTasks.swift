import ArtworkModel
import Synchronization

/// Work that is done once, however many callers wait for it. A caller that is cancelled does not disturb the others;
/// the work is cancelled when its last caller is.
final class SharedTasks<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Value, StoreError>, Never>

  private struct SharedTask {
    /// Distinguishes this task from a later one for the same key.
    var number: UInt64
    var task: Task<Void, Never>?
    var waiters: [UInt64: Waiter] = [:]
  }

  private struct State {
    var tasks: [Key: SharedTask] = [:]
    /// Callers that were cancelled before they waited.
    var cancelled: Set<UInt64> = []
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private enum Admission {
    case cancelled
    case joined
    case started(UInt64)
  }

  private let state = Mutex(State())

  init() {}

  /// Whether work for `key` is under way.
  func contains(_ key: Key) -> Bool { state.withLock { $0.tasks[key] != nil } }

  /// Waits for the work under way for `key`, or starts it.
  ///
  /// - Throws: what `work` throws; `late` when the caller is cancelled, or the work is.
  func value(
    for key: Key, _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let caller = state.withLock { $0.nextNumber() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        switch admit(caller, waiter, to: key) {
        case .cancelled: waiter.resume(returning: .failure(.cancelled))
        case .joined: break
        case .started(let number): start(number, for: key, work)
        }
      }
    } onCancel: {
      stopWaiting(caller, for: key)
    }
    state.withLock { _ = $0.cancelled.remove(caller) }
    return try result.get()
  }

  /// Cancels the work for the chosen keys. Its callers fail with `late`; the next one starts it again.
  func cancel(where isChosen: (Key) -> Bool) {
    let cancelled = state.withLock { state in
      let chosen = state.tasks.filter { isChosen($0.key) }
      for key in chosen.keys { state.tasks[key] = nil }
      return chosen.values
    }
    for shared in cancelled {
      shared.task?.cancel()
      for waiter in shared.waiters.values {
        waiter.resume(returning: .failure(StoreError(.late, "the work was cancelled; ask again")))
      }
    }
  }

  private func admit(_ caller: UInt64, _ waiter: Waiter, to key: Key) -> Admission {
    state.withLock { state in
      // The cancellation handler of such a caller has run already.
      if state.cancelled.remove(caller) != nil || Task.isCancelled { return .cancelled }
      if state.tasks[key] != nil {
        state.tasks[key]?.waiters[caller] = waiter
        return .joined
      }
      let number = state.nextNumber()
      state.tasks[key] = SharedTask(number: number, waiters: [caller: waiter])
      return .started(number)
    }
  }

  private func start(
    _ number: UInt64, for key: Key,
    _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) {
    let task = Task.detached {
      let result: Result<Value, StoreError>
      do throws(StoreError) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      self.finish(number, for: key, result)
    }
    let isCurrent = state.withLock { state in
      guard state.tasks[key]?.number == number else { return false }
      state.tasks[key]?.task = task
      return true
    }
    // It has finished, or was cancelled, before its task was known.
    if !isCurrent { task.cancel() }
  }

  private func finish(_ number: UInt64, for key: Key, _ result: Result<Value, StoreError>) {
    let waiters = state.withLock { state in
      guard let shared = state.tasks[key], shared.number == number else {
        return [UInt64: Waiter]()
      }
      state.tasks[key] = nil
      return shared.waiters
    }
    for waiter in waiters.values { waiter.resume(returning: result) }
  }

  private func stopWaiting(_ caller: UInt64, for key: Key) {
    let (waiter, task) = state.withLock { state in
      guard let waiter = state.tasks[key]?.waiters.removeValue(forKey: caller) else {
        state.cancelled.insert(caller)
        return (nil as Waiter?, nil as Task<Void, Never>?)
      }
      guard state.tasks[key]?.waiters.isEmpty == true else { return (waiter, nil) }
      return (waiter, state.tasks.removeValue(forKey: key)?.task)
    }
    task?.cancel()
    waiter?.resume(returning: .failure(.cancelled))
  }
}
