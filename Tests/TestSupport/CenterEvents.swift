package import ArtworkStore

extension NowPlayingCenter {
  /// All events from now on.
  package func events() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    whenChanged { continuation.yield($0) }
    return stream
  }
}
