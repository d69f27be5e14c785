package import ArtworkModel
package import ArtworkService

extension NowPlayingCenter {
  /// All events from now on.
  package func events() -> AsyncStream<ServiceEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceEvent.self)
    whenChanged {
      continuation.yield($0)
      return true
    }
    return stream
  }
}
