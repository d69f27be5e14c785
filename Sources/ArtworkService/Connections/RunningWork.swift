import Dispatch

/// Counts the connections and requests that have not ended.
struct RunningWork: Sendable {
  private let group = DispatchGroup()

  func begin() { group.enter() }

  func end() { group.leave() }

  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    begin()
    return Task {
      await body()
      end()
    }
  }

  /// Waits, also in a cancelled task, until everything has ended.
  func waitForEnd() async {
    await withCheckedContinuation { ended in
      group.notify(queue: .global()) { ended.resume() }
    }
  }
}
