package import NIOCore
import NIOHTTP1

/// Limits on what clients may use.
package struct ServiceLimits: Sendable, Hashable {
  /// The time from the first byte of a request to the end of its header fields.
  package var head: TimeAmount = .seconds(10)
  /// The time from the first byte of a request to the end of its body.
  package var request: TimeAmount = .seconds(30)
  /// The time that a connection stays open without a request.
  package var idle: TimeAmount = .seconds(60)
  /// The time for a client that does not read its response.
  package var write: TimeAmount = .seconds(60)
  /// The time to answer a request that waits for a worker, unless the request states how long it waits.
  package var answer: Duration = .seconds(2)
  /// After a refusal, for the client to read it.
  package var linger: TimeAmount = .seconds(2)
  /// The time for running requests when the service stops.
  package var stop: TimeAmount = .seconds(10)
  /// Open connections at Unix sockets, and as many over TCP. Each takes one descriptor.
  package var connections = 1024
  /// Most TCP connections that have not shown the token: more than browsers open for a page.
  package var unauthenticatedPeers = 128
  /// The time for a connection over TCP to show the token.
  package var authentication: TimeAmount = .seconds(10)
  /// Bytes of a chunked body beside its data. A byte in a chunk of its own takes five others.
  package var framing = 320 << 10
  /// Bytes of a request's body.
  package var body = 64 << 10
  /// Bytes of the body of a request that publishes or changes a session, which may hold a picture.
  package var sessionBody = 1 << 20
  /// Bytes of one header field, name and value.
  package var field = 64 << 10
  /// Bytes of all header fields and of the request line.
  package var fields = 64 << 10
  package var fieldCount = 100
  /// Between two heartbeats of an event stream.
  package var heartbeat: Duration = .seconds(15)
  /// Events that may wait for a slow listener.
  package var waitingEvents = 256

  package init() {}

  /// Bytes of the body of a request.
  func body(of head: HTTPRequestHead) -> Int {
    guard head.method == .PUT || head.method == .PATCH, head.uri.hasPrefix("/v1/sessions/") else {
      return body
    }
    return sessionBody
  }

  /// The shortest deadline.
  var shortest: TimeAmount { min(head, request, idle, write, linger, authentication) }
}
