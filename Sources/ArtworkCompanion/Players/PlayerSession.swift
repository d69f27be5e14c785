import ArtworkModel

/// The session of a player as a state machine: its inputs are the player's changes, its outputs actions on the
/// session.
///
/// - Parameter Held: an object that holds a session for as long as it lives.
struct PlayerSession<Held> {
  enum State {
    case none
    /// It is being published for the first time.
    case opening(MediaSession)
    /// - Parameter published: the state in the service; `nil` if it refused the last one.
    case held(Held, application: String, published: MediaSession?)
    /// Another client has ended it, and it is not published again while the player plays the same content.
    case dismissed(MediaContent)
  }

  enum Effect {
    case nothing
    case hold
    case update(Held)
    /// Read again: the session is being published now.
    case later
  }

  private(set) var state = State.none

  var published: MediaSession? {
    if case .held(_, _, let published) = state { published } else { nil }
  }

  /// The player plays something, or has paused it.
  ///
  /// - Parameter hasEnded: whether another client has ended the session.
  /// - Returns: whether to publish it.
  mutating func see(_ content: MediaContent, hasEnded: (Held) -> Bool) -> Bool {
    if case .held(let held, _, _) = state, hasEnded(held) { state = .dismissed(content) }
    guard case .dismissed(let dismissed) = state else { return true }
    if dismissed != content { state = .none }
    return dismissed != content
  }

  /// - Parameter isSame: whether the service already has an equivalent session.
  mutating func want(
    _ session: MediaSession, unless isSame: (_ published: MediaSession) -> Bool
  ) -> Effect {
    switch state {
    case .dismissed: return .nothing
    case .opening: return .later
    case .held(_, _, let published?) where isSame(published): return .nothing
    case .held(let held, session.application, _):
      state = .held(held, application: session.application, published: session)
      return .update(held)
    // The session of another application is a different one: the former ends.
    case .held, .none:
      state = .opening(session)
      return .hold
    }
  }

  /// The session is held. Releases it if it is no longer wanted.
  mutating func begin(_ held: Held) {
    guard case .opening(let session) = state else { return }
    state = .held(held, application: session.application, published: session)
  }

  /// The service refused the last state.
  mutating func fail() {
    switch state {
    case .opening: state = .none
    case .held(let held, let application, _):
      state = .held(held, application: application, published: nil)
    case .none, .dismissed: break
    }
  }

  /// The player has stopped or quit. Releases the session, which ends it.
  mutating func end() { state = .none }
}
