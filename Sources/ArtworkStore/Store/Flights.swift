import ArtworkModel
import Synchronization

/// Work that many may wait for and that is done once. One who stops waiting leaves the others alone; when the last one
/// does, the work is cancelled.
final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Value, StoreError>, Never>

  private struct Flight {
    var number: UInt64
    var task: Task<Void, Never>?
    var waiters: [UInt64: Waiter] = [:]
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    /// Callers who left before they waited.
    var left: Set<UInt64> = []
    var numbers: UInt64 = 0

    mutating func number() -> UInt64 {
      numbers += 1
      return numbers
    }
  }

  private enum Boarding {
    case refused
    case joined
    case begun(UInt64)
  }

  private let state = Mutex(State())

  init() {}

  /// Whether somebody waits for it.
  func contains(_ key: Key) -> Bool { state.withLock { $0.flights[key] != nil } }

  /// Waits for the work under way for `key`, or begins it.
  ///
  /// - Throws: what `work` throws; `late` when the caller's task is cancelled.
  func value(
    for key: Key, _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let ticket = state.withLock { $0.number() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let boarding: Boarding = state.withLock { state in
          // A caller that was cancelled before it waits is not told again.
          if state.left.remove(ticket) != nil || Task.isCancelled { return .refused }
          if state.flights[key] != nil {
            state.flights[key]?.waiters[ticket] = waiter
            return .joined
          }
          let number = state.number()
          state.flights[key] = Flight(number: number, waiters: [ticket: waiter])
          return .begun(number)
        }
        if case .refused = boarding { waiter.resume(returning: Self.cancelled) }
        guard case .begun(let begun) = boarding else { return }
        let task = Task.detached {
          let result: Result<Value, StoreError>
          do throws(StoreError) {
            result = .success(try await work())
          } catch {
            result = .failure(error)
          }
          self.land(key, begun, result)
        }
        let isWanted = state.withLock { state in
          guard state.flights[key]?.number == begun else { return false }
          state.flights[key]?.task = task
          return true
        }
        // Everybody has left already, it was stopped, or it has landed.
        if !isWanted { task.cancel() }
      }
    } onCancel: {
      leave(key, ticket)
    }
    state.withLock { _ = $0.left.remove(ticket) }
    return try result.get()
  }

  /// Stops the work for `key`. Those who wait for it are told that it is `late`, and who asks next begins it anew.
  func stop(_ key: Key) {
    let flight = state.withLock { $0.flights.removeValue(forKey: key) }
    flight?.task?.cancel()
    for waiter in flight?.waiters.values.map(\.self) ?? [] {
      waiter.resume(returning: .failure(StoreError(.late, "it was stopped; ask again")))
    }
  }

  private func land(_ key: Key, _ number: UInt64, _ result: Result<Value, StoreError>) {
    let waiters = state.withLock { state in
      guard let flight = state.flights[key], flight.number == number else {
        return [UInt64: Waiter]()
      }
      state.flights[key] = nil
      return flight.waiters
    }
    for waiter in waiters.values { waiter.resume(returning: result) }
  }

  private func leave(_ key: Key, _ ticket: UInt64) {
    let (waiter, task) = state.withLock { state in
      guard let waiter = state.flights[key]?.waiters.removeValue(forKey: ticket) else {
        state.left.insert(ticket)
        return (nil as Waiter?, nil as Task<Void, Never>?)
      }
      guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
      return (waiter, state.flights.removeValue(forKey: key)?.task)
    }
    task?.cancel()
    waiter?.resume(returning: Self.cancelled)
  }

  private static var cancelled: Result<Value, StoreError> {
    .failure(StoreError(.late, "the caller did not wait for it"))
  }
}
