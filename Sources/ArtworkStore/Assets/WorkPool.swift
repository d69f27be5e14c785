import ArtworkModel
import Dispatch
import Synchronization

/// Threads for blocking work: some for work in any order, and one for work that is done one at a time, in its order.
final class WorkPool: Sendable {
  private let anyOrder: Places
  private let inOrder: Places

  /// - Parameters:
  ///   - threads: for work in any order, at least 1.
  ///   - waiting: the number of callers that may wait for such a thread.
  ///   - waitingInOrder: the number of callers that may wait for the thread that keeps the order.
  init(threads: Int, waiting: Int = .max, waitingInOrder: Int = .max) {
    anyOrder = Places(max(1, threads), waiting: waiting)
    inOrder = Places(1, waiting: waitingInOrder)
  }

  /// Work that runs or waits, in any order and in its order.
  var pending: (anyOrder: Int, inOrder: Int) { (anyOrder.taken, inOrder.taken) }

  /// Runs `body` on a thread. When the caller's task is cancelled, `isCancelled` becomes true, and work that still waits
  /// does not start.
  ///
  /// - Parameter inOrder: whether it runs after all such work that came before.
  /// - Throws: `busy` when the queue is full, `late` when the caller is cancelled before the start, and what `body` throws.
  func run<R: Sendable>(
    inOrder: Bool = false,
    _ body:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(StoreError) -> R
  ) async throws(StoreError) -> R {
    let places = inOrder ? self.inOrder : anyOrder
    try await places.take()
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

  /// - Throws: `busy`, `late`.
  func take(_ group: String = "") async throws(StoreError) {
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
          state.queue.append(Caller(ticket: ticket, group: group, enter: enter))
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
    let next = state.withLock { state -> Caller? in
      let left = (state.taken[group] ?? 1) - 1
      state.taken[group] = left > 0 ? left : nil
      guard let index = state.queue.firstIndex(where: { hasPlace($0.group, state.taken) }) else {
        return nil
      }
      let next = state.queue.remove(at: index)
      state.taken[next.group, default: 0] += 1
      return next
    }
    next?.enter.resume(returning: true)
  }
}
