package import NIOCore

/// What clients may take of the service.
package struct ServiceLimits: Sendable {
  /// From the first byte of a request to the end of its header fields.
  package var head: TimeAmount = .seconds(10)
  /// From the first byte of a request to the end of its body.
  package var request: TimeAmount = .seconds(30)
  /// Without any request.
  package var idle: TimeAmount = .seconds(60)
  /// Without the reader taking enough of a response for the next part.
  package var write: TimeAmount = .seconds(60)
  /// After a refusal, for a client that still sends to read it.
  package var linger: TimeAmount = .seconds(2)
  /// For requests that run when the service is told to stop.
  package var stop: TimeAmount = .seconds(10)
  /// Clients at once. Each has one descriptor and costs about 20 KB.
  package var connections = 1024
  /// Bytes of a request's body.
  package var body = 64 << 10
  /// Bytes of one header field, name and value.
  package var field = 16 << 10
  /// Bytes of all header fields and of the request line.
  package var fields = 64 << 10
  package var fieldCount = 100
  /// How often a stream of events says that it lives.
  package var heartbeat: Duration = .seconds(15)
  /// Events that wait for one slow listener.
  package var waitingEvents = 256

  package init() {}

  /// The soonest that any deadline can come.
  var shortest: TimeAmount { min(head, request, idle, write, linger) }
}
