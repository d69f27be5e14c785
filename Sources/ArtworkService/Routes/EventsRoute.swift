import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1
import Synchronization

/// Server-sent events. With `own`, the stream owns that session and gets its commands; with `session`, it contains
/// only the events of that session.
struct EventsRoute: Sendable {
  let center: NowPlayingCenter
  let log: EventLog

  var routes: [Route] {
    [
      Route(.GET, "/v1/events", get),
      Route(.HEAD, "/v1/events") { request in
        _ = try StreamRequest(request)
        return Response(.ok, Self.headers)
      },
    ]
  }

  /// The parsed request.
  private struct StreamRequest {
    var own: SessionID?
    /// Application of that session, or of the filtered one.
    var application: String?
    var filter: SessionID?

    init(_ request: Request) throws(Problem) {
      let query = try request.query(["own", "session", "application"])
      func identity(_ name: String) throws(Problem) -> SessionID? {
        guard let text = query[name], !(name == "own" && text.isEmpty) else { return nil }
        guard let id = SessionID(text) else {
          throw .badRequest("\(name) must be an identifier of 1 to \(SessionID.longest) bytes")
        }
        return id
      }
      own = try identity("own")
      application = query["application"]
      filter = try identity("session")
      if application != nil, own == nil, filter == nil {
        throw .badRequest("application needs own or session")
      }
    }
  }

  private static let headers: HTTPHeaders = [
    "Content-Type": "text/event-stream", "Cache-Control": "no-store",
  ]

  @Sendable private func get(_ request: Request) async throws -> Response {
    let streamRequest = try StreamRequest(request)
    let listening = try Listening(
      streamRequest, after: request.field("last-event-id"), request.languages, request.connection,
      of: self)
    return Response(
      .ok, Self.headers,
      .stream(length: nil) { write in
        try await listening.run { text in try await write(ByteBuffer(string: text)) }
      })
  }

  /// What one client hears, and the session that it owns. Begins before the head of the response is sent: who has that
  /// holds the session and gets its commands. Ends with ``run(_:)``, or with a response that nobody takes.
  private final class Listening: Sendable {
    private struct State {
      /// The session that the client owns, and the number under which the center counts this stream as its holder; `nil` for
      /// none, and before one of the wanted name is published.
      var held: (session: SessionReference, holder: UInt64)?
      var hasEnded = false
    }

    private let route: EventsRoute
    private let connection: Connection
    private let queue: EventQueue
    private let state = Mutex(State())

    init(
      _ request: StreamRequest, after last: String?, _ languages: ReaderLanguages,
      _ connection: Connection, of route: EventsRoute
    ) throws {
      self.route = route
      self.connection = connection
      queue = EventQueue(limit: connection.limits.waitingEvents, missed: EventMessage.missed)
      connection.client.hearsEvents = true
      if let name = request.own {
        let known =
          request.application.map { SessionReference($0, name) }
          ?? route.center.session(named: name, heldBy: connection.peer)
        if let known { try hold(known) }
        connection.client.ownsSession = true
      }
      try route.log.listen(
        queue, to: request.filter, of: request.application, after: last, for: languages)
      guard let name = request.own, state.withLock({ $0.held == nil }) else { return }
      route.center.whenChanged { [weak self] event in
        guard let self else { return false }
        guard case .session(name, let application?, ended: false) = event else { return true }
        // One that another client holds is not the one.
        do { try hold(SessionReference(application, name)) } catch { return true }
        return false
      }
      // One that was published meanwhile.
      if let known = route.center.session(named: name, heldBy: connection.peer) { try? hold(known) }
    }

    /// Holds the session, and gets its commands from now on, after the document.
    private func hold(_ session: SessionReference) throws(StoreError) {
      try state.withLock { state throws(StoreError) in
        guard state.held == nil, !state.hasEnded else { return }
        let holder = try route.center.hold(
          CommandRouter.Receiver(session) { [queue] command in
            // The contents of a command can always be encoded.
            (try? EventMessage.command(command)).map(queue.addIfRoom) ?? false
          } replaced: { [queue] in
            queue.add(EventMessage.replaced(session))
          }, peer: connection.peer)
        state.held = (session, holder)
      }
    }

    deinit { end() }

    /// Runs until the client closes its side or the service stops.
    func run(_ write: (String) async throws -> Void) async throws {
      defer { end() }
      let (queue, limits) = (queue, connection.limits)
      connection.whenEnding { queue.finish() }
      try await withThrowingTaskGroup { group in
        group.addTask {
          while true {
            try await Task.sleep(for: limits.heartbeat)
            queue.addIfEmpty(EventMessage.heartbeat)
          }
        }
        try await queue.deliver(to: write)
        group.cancelAll()
      }
    }

    private func end() {
      let ended = state.withLock { state in
        defer { state.hasEnded = true }
        return state
      }
      guard !ended.hasEnded else { return }
      if let held = ended.held { route.center.stopReceiving(held.holder) }
      route.log.stop(queue)
      // A session keeps its owner while the service restarts.
      guard !connection.isStopping else { return }
      connection.client.hearsEvents = false
      if let held = ended.held { route.center.letGo(held.session, held.holder) }
    }
  }
}
