import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird
import NIOCore

/// Server-sent events. With `session`, the stream owns that session.
struct EventsRoute: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/events", use: get)
    router.head("/v1/events") { request, _ in
      _ = try request.query(["session"])
      return Response(status: .ok, headers: Self.headers)
    }
  }

  private static let headers: HTTPFields = [
    .contentType: "text/event-stream", .cacheControl: "no-store",
  ]

  @Sendable private func get(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let query = try request.query(["session"])
    let session = try query["session"].map { text throws(Problem) in
      guard let id = SessionID(text) else {
        throw Problem.badRequest("session must be an identifier of 1 to \(SessionID.longest) bytes")
      }
      return id
    }
    let connection = context.connection
    return Response(
      status: .ok, headers: Self.headers,
      body: ResponseBody { writer in
        try await stream(session, connection) { text in
          try await writer.write(ByteBuffer(string: text))
        }
        try await writer.finish(nil)
      })
  }

  /// Runs until the client closes its side or the service stops.
  private func stream(
    _ session: SessionID?, _ connection: Connection,
    _ write: (String) async throws -> Void
  ) async throws {
    metrics.countListeners(1)
    if let session {
      connection.ownsSession = true
      center.hold(session, peer: connection.peer)
    }
    defer {
      metrics.countListeners(-1)
      // A session stays with its owner while the service restarts.
      if let session, !connection.isStopping { center.letGo(session, peer: connection.peer) }
    }
    let limits = connection.limits
    let queue = EventQueue(limit: limits.waitingEvents, missed: EventMessage.missed)
    // Before the document, so that no event is lost between the two.
    let events = center.events(capacity: limits.waitingEvents)
    queue.add(try EventMessage.nowPlaying(center.nowPlaying()))
    connection.whenEnding { queue.finish() }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for await event in events {
          queue.add(try EventMessage.text(event, conditions: center.conditions))
        }
        queue.finish()
      }
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
