import Synchronization

/// Waits for a call that cannot be cancelled, but only until the task is cancelled.
final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case given
  }

  private let state = Mutex((state: State.open, early: Result<Value, any Error>?.none))

  /// Later answers are ignored.
  func give(_ answer: Result<Value, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state.state {
      case .given: return nil
      case .open:
        state = (.given, answer)
        return nil
      case .awaited(let continuation):
        state.state = .given
        return continuation
      }
    }
    waiting?.resume(with: answer)
  }

  /// Must be called once.
  ///
  /// - Throws: the error that was given; `CancellationError` as soon as the task is cancelled.
  func wait() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = state.withLock { state -> Result<Value, any Error>? in
          if let early = state.early { return early }
          state.state = .awaited(continuation)
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      give(.failure(CancellationError()))
    }
  }
}
