package import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import Foundation
package import Hummingbird
package import NIOCore
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
    package var streams: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
    package var holders: [SessionReference: Int] = [:]
    package var lastStream = 0
    package var token: String?
    /// Sent in place of an answer to the next request.
    package var surprise: Response?
  }

  package let port: Int?
  private let running: Task<Void, any Error>

  package static func start(
    at address: BindAddress, token: String? = nil
  ) async throws -> FakeService {
    let state = SharedState(State(token: token))
    let (ports, continuation) = AsyncStream.makeStream(of: Int?.self)
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { request, _ in
        try await FakeRoutes(state: state).respond(to: request)
      },
      configuration: ApplicationConfiguration(address: address),
      onServerRunning: { continuation.yield($0.localAddress?.port) })
    let running = Task {
      defer { continuation.finish() }
      try await application.run()
    }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else {
      try await running.value
      throw CancellationError()
    }
    return FakeService(state: state, port: port, running: running)
  }

  private let shared: SharedState

  private init(state: SharedState, port: Int?, running: Task<Void, any Error>) {
    shared = state
    self.port = port
    self.running = running
  }

  package func with<T: Sendable>(_ body: @Sendable (inout State) -> T) -> T { shared.with(body) }

  /// Closes every connection.
  package func stop() async {
    let streams = shared.with { state in
      defer { state.streams = [:] }
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
    running.cancel()
    _ = await running.result
  }

  deinit { running.cancel() }
}
