package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// Calls `body` with each change from now on, on the thread that makes it: what it reads then is the state after this
  /// change, and before the next one. `body` must be quick.
  package func whenChanged(_ body: @escaping @Sendable (ServiceEvent) -> Void) {
    listeners.add(body)
  }
}

/// Subscribers of events.
final class EventListeners: Sendable {
  private let listeners = Mutex<[@Sendable (ServiceEvent) -> Void]>([])

  func add(_ body: @escaping @Sendable (ServiceEvent) -> Void) {
    listeners.withLock { $0.append(body) }
  }

  func send(_ event: ServiceEvent) {
    for listener in listeners.withLock(\.self) { listener(event) }
  }
}
