import ArtworkModel
import Dispatch
import Synchronization

/// Threads for blocking work of one kind, which starts in the order of its arrival.
final class WorkPool: Sendable {
  private let places: Places

  /// - Parameters:
  ///   - threads: at least 1. One does its work one at a time.
  ///   - waiting: the number of callers that may wait for a thread.
  init(threads: Int, waiting: Int = .max) { places = Places(max(1, threads), waiting: waiting) }

  /// Work that runs or waits.
  var pending: Int { places.taken }

  /// Runs `body` on a thread. When the caller's task is cancelled, `isCancelled` becomes true, and work that still waits
  /// does not start.
  ///
  /// - Parameter isFirst: see ``Places/take(_:first:)``.
  /// - Throws: `busy` when the queue is full, `late` when the caller is cancelled before the start, and what `body` throws.
  func run<R: Sendable>(
    first isFirst: @escaping @Sendable () -> Bool = { false },
    _ body:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(StoreError) -> R
  ) async throws(StoreError) -> R {
    try await places.take(first: isFirst)
    let places = places
    let isCancelled = Cancellation()
    let result: Result<R, StoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "artworkd.store").async {
          let result = Result { () throws(StoreError) in try body { isCancelled.isSet } }
          places.giveBack()
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      isCancelled.set()
    }
    return try result.get()
  }

  private final class Cancellation: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
  }
}

/// Places that callers take in the order of their arrival, and a bounded queue.
final class Places: Sendable {
  private struct Caller {
    var ticket: UInt64
    var group: String
    var isFirst: @Sendable () -> Bool
    var enter: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// Places taken, by the groups of their callers.
    var taken: [String: Int] = [:]
    var queue: [Caller] = []
    var tickets: UInt64 = 0
  }

  private let count: Int
  private let countOfGroup: Int
  private let waiting: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - countOfGroup: the most places that callers of one group have at a time; those of others overtake them.
  ///   - waiting: the number of callers that may wait.
  init(_ count: Int, ofGroup countOfGroup: Int = .max, waiting: Int) {
    (self.count, self.countOfGroup, self.waiting) = (count, countOfGroup, waiting)
  }

  /// Callers that have a place or wait for one.
  var taken: Int { state.withLock { $0.taken.values.reduce($0.queue.count, +) } }

  private func hasPlace(_ group: String, _ taken: [String: Int]) -> Bool {
    taken.values.reduce(0, +) < count && taken[group, default: 0] < countOfGroup
  }

  /// - Parameter isFirst: asked whenever a place becomes free: whether this caller goes before those that are not.
  /// - Throws: `busy`, `late`.
  func take(
    _ group: String = "", first isFirst: @escaping @Sendable () -> Bool = { false }
  ) async throws(StoreError) {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { (enter: CheckedContinuation<Bool, Never>) in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if hasPlace(group, state.taken) {
            state.taken[group, default: 0] += 1
            return true
          }
          guard state.queue.count < waiting else { return false }
          state.queue.append(
            Caller(ticket: ticket, group: group, isFirst: isFirst, enter: enter))
          return nil
        }
        if let answer { enter.resume(returning: answer) }
      }
    } onCancel: {
      let enter = state.withLock { state in
        state.queue.firstIndex { $0.ticket == ticket }.map { state.queue.remove(at: $0).enter }
      }
      enter?.resume(returning: false)
    }
    if isIn { return }
    if Task.isCancelled { throw StoreError.cancelled }
    throw StoreError(.busy, "queue limit reached (\(waiting) requests); ask again in a moment")
  }

  func giveBack(_ group: String = "") {
    // Asked outside of the lock; who comes meanwhile is not first yet.
    let first = state.withLock(\.queue).filter { $0.isFirst() }.map(\.ticket)
    let next = state.withLock { state -> Caller? in
      let left = (state.taken[group] ?? 1) - 1
      state.taken[group] = left > 0 ? left : nil
      let able = state.queue.indices.filter { hasPlace(state.queue[$0].group, state.taken) }
      guard let index = able.first(where: { first.contains(state.queue[$0].ticket) }) ?? able.first
      else { return nil }
      let next = state.queue.remove(at: index)
      state.taken[next.group, default: 0] += 1
      return next
    }
    next?.enter.resume(returning: true)
  }

  /// Whether callers wait for a place.
  var isCrowded: Bool { state.withLock { !$0.queue.isEmpty } }
}
