import ArtworkModel

extension HeldSession {
  /// Whether the session is a primary one.
  public struct Primary: Sendable, Equatable {
    /// Whether its application shows the session.
    public var isApplicationPrimary = false
    /// Whether the system shows the session.
    public var isSystemPrimary = false
  }

  /// Whether its application shows the session, according to the events so far.
  public var isApplicationPrimary: Bool { primary.now.isApplicationPrimary }

  /// Whether the system shows the session, according to the events so far.
  public var isSystemPrimary: Bool { primary.now.isSystemPrimary }

  /// The current state, and then each change. A slow reader gets only the latest. Ends with the session or this
  /// object.
  public var primaryChanges: AsyncStream<Primary> { primary.changes() }
}

/// Whether one session is primary, by the service's events.
typealias PrimaryWatch = Watch<HeldSession.Primary>

extension PrimaryWatch {
  convenience init() { self.init(HeldSession.Primary()) }

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
}
