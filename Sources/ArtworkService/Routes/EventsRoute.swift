import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird
import NIOCore

/// Server-sent events. With `session`, the stream owns that session and gets its commands.
struct EventsRoute: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics
  let log: EventLog

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/events", use: get)
    router.head("/v1/events") { request, _ in
      _ = try request.query(["session", "application"])
      return Response(status: .ok, headers: Self.headers)
    }
  }

  private static let headers: HTTPFields = [
    .contentType: "text/event-stream", .cacheControl: "no-store",
  ]

  @Sendable private func get(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let query = try request.query(["session", "application"])
    let session = try query["session"].map { text throws(Problem) in
      guard let id = SessionID(text) else {
        throw Problem.badRequest("session must be an identifier of 1 to \(SessionID.longest) bytes")
      }
      return id
    }
    let application = query["application"]
    if application != nil, session == nil {
      throw Problem.badRequest("application needs session")
    }
    let connection = context.connection
    let languages = request.languages
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    return Response(
      status: .ok, headers: Self.headers,
      body: ResponseBody { writer in
        try await stream(session, application, after: last, languages, connection) { text in
          try await writer.write(ByteBuffer(string: text))
        }
        try await writer.finish(nil)
      })
  }

  /// Runs until the client closes its side or the service stops.
  private func stream(
    _ session: SessionID?, _ application: String?, after last: String?,
    _ languages: ReaderLanguages, _ connection: Connection,
    _ write: (String) async throws -> Void
  ) async throws {
    metrics.countListeners(1)
    connection.isEventStream = true
    if let session {
      connection.ownsSession = true
      center.hold(session, of: application, peer: connection.peer)
    }
    defer {
      metrics.countListeners(-1)
      if !connection.isStopping { connection.isEventStream = false }
      // A session stays with its owner while the service restarts.
      if let session, !connection.isStopping {
        center.letGo(session, of: application, peer: connection.peer)
      }
    }
    let limits = connection.limits
    let queue = EventQueue(limit: limits.waitingEvents, missed: EventMessage.missed)
    try log.listen(queue, after: last, for: languages)
    defer { log.stop(queue) }
    let receiver = session.map { session in
      center.receive(
        CommandDesk.Receiver(session, of: application, peer: connection.peer) { command in
          // What a command holds can be encoded.
          (try? EventMessage.command(command)).map(queue.addIfRoom) ?? false
        })
    }
    defer { if let receiver { center.stopReceiving(receiver) } }
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
}
