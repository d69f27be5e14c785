import ArtworkModel
import Synchronization

extension HeldSession {
  /// Whether the session is a primary one.
  public struct Primary: Sendable, Equatable {
    /// Whether its application shows the session.
    public var isApplicationPrimary = false
    /// Whether the system shows the session.
    public var isSystemPrimary = false
  }

  /// Whether its application shows the session, as far as events have told.
  public var isApplicationPrimary: Bool { primary.now.isApplicationPrimary }

  /// Whether the system shows the session, as far as events have told.
  public var isSystemPrimary: Bool { primary.now.isSystemPrimary }

  /// Both at present, and then after each change. A slow reader gets the latest only. It ends with the session or this
  /// object.
  public var primaryChanges: AsyncStream<Primary> { primary.changes() }
}

/// Follows whether one session is primary, by the service's events.
final class PrimaryWatch: Sendable {
  private struct State {
    var now = HeldSession.Primary()
    var listeners: [Int: AsyncStream<HeldSession.Primary>.Continuation] = [:]
    var lastListener = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  var now: HeldSession.Primary { state.withLock(\.now) }

  func changes() -> AsyncStream<HeldSession.Primary> {
    let (changes, listener) = AsyncStream.makeStream(
      of: HeldSession.Primary.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      listener.yield(state.now)
      guard !state.isFinished else { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return state.lastListener
    }
    guard let number else {
      listener.finish()
      return changes
    }
    listener.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return changes
  }

  /// An event of the stream that holds `session`.
  func note(_ event: ServiceEvent, of session: SessionReference) {
    switch event {
    case .nowPlaying(let document):
      // Before it is published, the service does not know the session.
      let known = document.sessions.first {
        $0.id == session.id && $0.session.application == session.application
      }
      change {
        $0.isApplicationPrimary = known?.isApplicationPrimary ?? false
        $0.isSystemPrimary = known?.isSystemPrimary ?? false
      }
    case .primary(let id, let application, let scope):
      let isThis = id == session.id && application ?? session.application == session.application
      switch scope {
      case .system: change { $0.isSystemPrimary = isThis }
      case .application where application == nil || application == session.application:
        change { $0.isApplicationPrimary = isThis }
      case .application: break
      }
    default: break
    }
  }

  func note(_ published: PublishedSession) {
    change {
      $0.isApplicationPrimary = published.isApplicationPrimary
      $0.isSystemPrimary = published.isSystemPrimary
    }
  }

  private func change(_ body: (inout HeldSession.Primary) -> Void) {
    state.withLock { state in
      let former = state.now
      body(&state.now)
      // Within the lock, so that listeners get the changes in their order.
      if state.now != former {
        for listener in state.listeners.values { listener.yield(state.now) }
      }
    }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }
}
