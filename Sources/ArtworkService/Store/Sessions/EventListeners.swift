package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// Calls `body` with each change from now on, on the thread that makes it: what it reads then is the state after this
  /// change, and before the next one. `body` must be quick.
  ///
  /// - Parameter body: returns whether it wants to be called again.
  package func whenChanged(_ body: @escaping @Sendable (ServiceEvent) -> Bool) {
    listeners.add(body)
  }
}

/// Subscribers of events.
final class EventListeners: Sendable {
  private struct Listener {
    var number: UInt64
    var body: @Sendable (ServiceEvent) -> Bool
  }

  private let listeners = Mutex<(last: UInt64, all: [Listener])>((0, []))

  func add(_ body: @escaping @Sendable (ServiceEvent) -> Bool) {
    listeners.withLock { listeners in
      listeners.last += 1
      listeners.all.append(Listener(number: listeners.last, body: body))
    }
  }

  func send(_ event: ServiceEvent) {
    let done = listeners.withLock(\.all).filter { !$0.body(event) }.map(\.number)
    if !done.isEmpty { listeners.withLock { $0.all.removeAll { done.contains($0.number) } } }
  }
}
