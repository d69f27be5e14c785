package import ArtworkModel
import Synchronization

extension NowPlayingCenter {
  /// A change. Carries names only: a listener asks for what it needs.
  package enum Event: Sendable, Equatable {
    case session(SessionID, ended: Bool)
    case artwork(ArtworkReference, ArtworkStatus?)
    case primary(SessionID?, SessionBoard.Scope)
    case conditions
    case lease(SessionID, ArtworkReference, released: Bool)
    /// The listener was too slow and has missed events; it must ask for everything.
    case missed
  }
}

/// The streams that events are sent to.
final class EventListeners: Sendable {
  private typealias Event = NowPlayingCenter.Event

  private struct State {
    var streams: [UInt64: AsyncStream<Event>.Continuation] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  func listen(capacity: Int) -> AsyncStream<NowPlayingCenter.Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.streams[state.lastNumber] = continuation
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ event: NowPlayingCenter.Event) {
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams {
      // The newest events stay, so that the last event of a slow listener is `missed`.
      if case .dropped = stream.yield(event) { stream.yield(.missed) }
    }
  }
}
