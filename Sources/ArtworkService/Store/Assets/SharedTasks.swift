import ArtworkModel
import Synchronization

/// Work that is done once, however many callers wait for it. A caller that is cancelled does not disturb the others;
/// the work is cancelled when its last caller is.
final class SharedTasks<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct SharedTask {
    /// Distinguishes this task from a later one for the same key.
    var number: UInt64
    var task: Task<Result<Value, StoreError>, Never>
    var callers = 0
  }

  private struct State {
    var tasks: [Key: SharedTask] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  init() {}

  /// Whether work for `key` is under way.
  func contains(_ key: Key) -> Bool { state.withLock { $0.tasks[key] != nil } }

  /// Waits for the work under way for `key`, or starts it.
  ///
  /// - Throws: what `work` throws; `late` when the caller is cancelled.
  func value(
    for key: Key, _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let shared = state.withLock { state in
      var shared = state.tasks[key] ?? begin(work, for: key, &state)
      shared.callers += 1
      state.tasks[key] = shared
      return shared
    }
    guard let result = await Deadline.first(of: nil, { await shared.task.value }) else {
      leave(shared.number, key)
      throw .cancelled
    }
    return try result.get()
  }

  /// Cancels the work for the chosen keys, and with it its callers; the next one starts it again.
  func cancel(where isChosen: (Key) -> Bool) {
    state.withLock { state in
      for (key, shared) in state.tasks where isChosen(key) {
        shared.task.cancel()
        state.tasks[key] = nil
      }
    }
  }

  private func begin(
    _ work: @escaping @Sendable () async throws(StoreError) -> Value, for key: Key,
    _ state: inout State
  ) -> SharedTask {
    state.lastNumber += 1
    let number = state.lastNumber
    let task = Task.detached { () -> Result<Value, StoreError> in
      let result: Result<Value, StoreError>
      do throws(StoreError) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      // Before its callers go on, so that the next one starts it again.
      self.state.withLock { state in
        if state.tasks[key]?.number == number { state.tasks[key] = nil }
      }
      return result
    }
    return SharedTask(number: number, task: task)
  }

  /// A caller was cancelled.
  private func leave(_ number: UInt64, _ key: Key) {
    state.withLock { state in
      guard var shared = state.tasks[key], shared.number == number else { return }
      shared.callers -= 1
      state.tasks[key] = shared.callers > 0 ? shared : nil
      if shared.callers == 0 { shared.task.cancel() }
    }
  }
}
