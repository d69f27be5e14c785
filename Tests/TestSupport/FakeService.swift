package import ArtworkModel
import ArtworkPipeline
import ArtworkService
import Foundation
import Synchronization
import Testing

/// As much of the service's contract as its client needs, in memory: what a client does can be seen, and what it
/// gets can be made up.
package final class FakeService: Sendable {
  /// The state shared by its connections.
  package final class SharedState: Sendable {
    private let state: Mutex<State>

    package init(_ state: State) { self.state = Mutex(state) }

    package func with<T: Sendable>(_ body: @Sendable (inout State) throws -> T) rethrows -> T {
      try state.withLock { try body(&$0) }
    }
  }

  package struct State: Sendable {
    package var board = SessionRegistry()
    /// Paths of sources.
    package var artworks: [ArtworkReference: String] = [:]
    /// Methods and paths as they came.
    package var requests: [String] = []
    /// Bodies of PATCH requests.
    package var patches: [String] = []
    package var ifNoneMatch: [String] = []
    package var owners: [SessionReference: Int32] = [:]
    package var streams: [Int: FakeStream] = [:]
    package var holders: [SessionReference: Int] = [:]
    package var lastStream = 0
    package var token: String?
    /// Sent in place of an answer to the next request.
    package var surprise: FakeAnswer?
  }

  private let shared: SharedState
  private let server: LoopbackServer

  package var port: Int { server.port }

  /// - Parameter path: of a Unix socket; `nil` for a port of 127.0.0.1.
  package init(at path: String? = nil, token: String? = nil) throws {
    let state = SharedState(State(token: token))
    shared = state
    server = try LoopbackServer(at: path) { first, peer in
      FakeConnection(peer, first).serve { FakeRoutes(state: state).respond(to: $0) }
    }
  }

  package func with<T: Sendable>(_ body: @Sendable (inout State) -> T) -> T { shared.with(body) }

  /// Closes every connection.
  package func stop() async {
    let streams = shared.with { state in
      defer { state.streams = [:] }
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
    server.stop()
  }

  deinit { server.stop() }
}
