package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// A change, by the names of what has changed.
  package enum Event: Sendable, Equatable {
    case session(SessionReference, ended: Bool)
    case artwork(ArtworkReference, ArtworkStatus?)
    case primary(SessionReference?, SessionRegistry.Scope)
    /// An application has sessions, and none of them is eligible any more.
    case noPrimary(application: String)
    case conditions
    /// A session got a file, or lost it; `rendition` is its size unless it is the video itself.
    case lease(SessionReference, ArtworkReference, rendition: PixelSize? = nil, released: Bool)
  }

  /// Calls `body` with each change from now on, on the thread that makes it: what it reads then is the state after this
  /// change, and before the next one. `body` must be quick.
  package func whenChanged(_ body: @escaping @Sendable (Event) -> Void) {
    listeners.add(body)
  }
}

/// Subscribers of events.
final class EventListeners: Sendable {
  private let listeners = Mutex<[@Sendable (NowPlayingCenter.Event) -> Void]>([])

  func add(_ body: @escaping @Sendable (NowPlayingCenter.Event) -> Void) {
    listeners.withLock { $0.append(body) }
  }

  func send(_ event: NowPlayingCenter.Event) {
    for listener in listeners.withLock(\.self) { listener(event) }
  }
}
