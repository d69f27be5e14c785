import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1

/// Enforces absolute deadlines, sizes and admission on one connection. Stands right behind the HTTP decoder, on the event
/// loop, so that a refused client costs little.
///
/// A refusal is the last response of a connection. Responses under way are finished first; then the client has a moment to
/// read it.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  enum Reading {
    /// No byte of the next request has arrived.
    case between
    case head(since: NIODeadline)
    case body(since: NIODeadline, count: Int)
    /// The request has its response, but its end has not been read.
    case answered
    /// Everything that still arrives is dropped.
    case nothing
  }

  let connection: Connection
  let gate: InputGate
  let admission: Admission
  let shortcut: PreviewShortcut
  let onRefusal: @Sendable (Problem) -> Void
  let onTrust: @Sendable () -> Void
  var limits: ServiceLimits { connection.limits }

  /// Until when a client over TCP must show the token; `nil` when it has, or need not.
  var strangerUntil: NIODeadline?
  var reading = Reading.between
  /// Whether the decoder produced a part since the last read began.
  var sawPart = false
  /// Requests that were passed on and have no complete response.
  var outstanding = 0
  /// Complete responses that are not completely written to the socket.
  var unwritten = 0
  var responseHasBegun = false
  /// Whether the last request that was read is the connection's last.
  var sawLastRequest = false
  var closesAfterResponse = false
  var hasUnflushedAnswers = false
  /// Whether the client has closed its side and the next handlers do not know yet: they would close the connection.
  var withholdsInputClosed = false
  /// Whether the connection closes once everything is written, and accepts no more writes.
  var isEnding = false
  var refusal: (problem: Problem, isHead: Bool)?
  var idleSince = NIODeadline.now()
  var blockedSince: NIODeadline?
  var lingersUntil: NIODeadline?
  var timer: Scheduled<Void>?

  init(
    _ connection: Connection, behind gate: InputGate, _ admission: Admission,
    _ shortcut: PreviewShortcut,
    onRefusal: @escaping @Sendable (Problem) -> Void, onTrust: @escaping @Sendable () -> Void
  ) {
    self.connection = connection
    self.gate = gate
    self.admission = admission
    self.shortcut = shortcut
    self.onRefusal = onRefusal
    self.onTrust = onTrust
    if case .loopback = admission.transport {
      strangerUntil = .now() + connection.limits.stranger
    }
  }

  func handlerAdded(context: ChannelHandlerContext) { arm(context, in: limits.shortest) }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    connection.noteInboundClosed()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    connection.noteInboundClosed()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      connection.noteInboundClosed()
      // A client that closes its side of a stream no longer holds the session, even if it still reads.
      if lingersUntil != nil || connection.ownsSession { return context.close(promise: nil) }
      if isAnswering {
        withholdsInputClosed = true
        return
      }
    case let event as StopEvent: return event.isFinal ? context.close(promise: nil) : stop(context)
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Whether a complete request waits for its response.
  var isAnswering: Bool {
    if case .body = reading { false } else { outstanding > 0 || unwritten > 0 }
  }

  // MARK: Inbound

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    sawPart = true
    switch (unwrapInboundIn(data), reading) {
    case (_, .nothing): return
    case (.head(let head), _): receive(head, context, data)
    case (.body(let bytes), .body(let since, let count)):
      let count = count + bytes.readableBytes
      reading = .body(since: since, count: count)
      if count > limits.body { return refuse(.tooLarge(limits.body), context) }
      context.fireChannelRead(data)
    case (.end, .answered):
      reading = .between
      gate.count = 0
    case (.end, _):
      if sawLastRequest { readNothingMore() } else { reading = .between }
      gate.count = 0
      context.fireChannelRead(data)
    case (.body, _): return
    }
  }

  func receive(_ sent: HTTPRequestHead, _ context: ChannelHandlerContext, _ data: NIOAny) {
    let head = sent.inOriginForm
    let data = head == sent ? data : NIOAny(HTTPServerRequestPart.head(head))
    var since = NIODeadline.now()
    if case .head(let first) = reading { since = first }
    if let problem = admission.problem(head) {
      return refuse(problem, context, isHead: head.method == .HEAD)
    }
    if strangerUntil != nil, admission.isTrusted(head) {
      strangerUntil = nil
      connection.trust()
      onTrust()
    }
    // The shortcut must not pile up responses that the client does not read.
    // The decoder stops after a request to upgrade.
    let isLast = !head.isKeepAlive || head.headers.contains(name: "upgrade")
    if !isLast, outstanding == 0, context.channel.isWritable, !connection.isStopping,
      let answer = shortcut.answer(head)
    {
      reading = .answered
      return write(answer, context)
    }
    reading = .body(since: since, count: 0)
    outstanding += 1
    sawLastRequest = isLast
    if outstanding == 1,
      head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" })
    {
      let permission = HTTPResponseHead(version: head.version, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(permission)), promise: nil)
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Bytes that make no part are the beginning of a head.
    if !sawPart, case .between = reading { reading = .head(since: .now()) }
    sawPart = false
    // Extensions of chunks and trailers make no part before the end.
    if case .body(_, let count) = reading, gate.count > count + limits.fields + limits.framing {
      refuse(.tooMuchFraming, context)
    }
    if hasUnflushedAnswers {
      hasUnflushedAnswers = false
      context.flush()
    }
    context.fireChannelReadComplete()
  }

  func write(_ answer: PreviewShortcut.Answer, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
    if let body = answer.body {
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    end(wrapOutboundOut(.end(nil)), nil, context)
    hasUnflushedAnswers = true
  }

  /// Writes the end of a response, and counts it until the socket has all of it.
  func end(
    _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
  ) {
    let written = promise ?? context.eventLoop.makePromise()
    unwritten += 1
    idleSince = .now()
    written.futureResult.assumeIsolated().whenComplete { [self] _ in
      unwritten -= 1
      idleSince = .now()
      guard unwritten == 0, context.channel.isActive else { return }
      if isEnding { return closeOutput(context) }
      if withholdsInputClosed, !isAnswering {
        withholdsInputClosed = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      }
    }
    context.write(data, promise: written)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow: refuse(.headersTooLarge, context)
    case is HTTPParserError:
      refuse(.badRequest("the request is not valid HTTP/1.1 (RFC 9112)"), context)
    // The socket failed, so no response can be sent. After a refusal, errors of the decoder are expected.
    default: if !isEnding { context.close(promise: nil) }
    }
  }
}

/// Sent to every connection when the service stops.
struct StopEvent: Sendable {
  /// Whether the time for running requests is up.
  var isFinal = false
}
