import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1

/// What the connections of a listener share.
struct ConnectionServices: Sendable {
  var router: Router
  var admission: Admission
  /// Called with each refusal.
  var onRefusal: @Sendable (Problem) -> Void
  /// Counts connections and requests that have not ended.
  var running: RunningWork
}

/// Answers the requests of one connection, one after the other, and enforces absolute deadlines, sizes and admission. Stands
/// right behind the HTTP decoder, on the event loop, so that a refused client costs little.
///
/// A refusal is the last response of a connection. Responses under way are finished first; then the client has a moment to
/// read it. What happens when is decided by ``ConnectionState``.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = Never
  typealias OutboundOut = ByteBuffer

  let connection: Connection
  let services: ConnectionServices
  private let gate: ReadThrottle
  private let onTrust: @Sendable () -> Void
  private var state: ConnectionState
  private var timer: Scheduled<Void>?
  /// The time of the read that is under way.
  private var readTime: NIODeadline?
  /// Whether the decoder produced a part since the last read began.
  private var sawPart = false
  private var mustFlush = false
  /// The request whose end has not been read.
  private var partial: Request?
  /// Complete requests, in their order.
  var waiting = CircularBuffer<Request>()
  /// Whether the channel asked for a read while too many requests wait.
  private var withholdsRead = false
  /// The response that a task makes or streams.
  var responding: Task<Void, Never>?
  var isChunked = false
  /// Bytes of a streamed body that wait until the channel takes more.
  var blocked: (bytes: ByteBuffer, continuation: CheckedContinuation<Void, any Error>)?

  /// Requests that may wait before no more are read.
  private static let mostWaiting = 8

  init(
    _ connection: Connection, behind gate: ReadThrottle, _ services: ConnectionServices,
    onTrust: @escaping @Sendable () -> Void
  ) {
    self.connection = connection
    self.gate = gate
    self.services = services
    self.onTrust = onTrust
    let isUnauthenticated = if case .loopback = services.admission.transport { true } else { false }
    state = ConnectionState(connection.limits, isUnauthenticated: isUnauthenticated, at: .now())
  }

  var acceptsWrites: Bool { state.acceptsWrites }

  func on(_ event: ConnectionState.Event, _ context: ChannelHandlerContext) {
    perform(effects(of: event), context)
  }

  func effects(of event: ConnectionState.Event) -> [ConnectionState.Effect] {
    state.on(event, at: readTime ?? .now(), connection.client)
  }

  func perform(_ effects: [ConnectionState.Effect], _ context: ChannelHandlerContext) {
    for effect in effects {
      switch effect {
      // The code that has the part takes it, and the code that writes the head adds to it.
      case .passOn, .sayLast: break
      case .dropInput:
        gate.isShut = true
        readIfWithheld(context)
      case .note(let problem): services.onRefusal(problem)
      case .answer(let problem, let isHead):
        write(ReadyResponse(problem.response), isHead: isHead, isLast: true, context)
      case .flush: context.flush()
      case .closeOutput: context.close(mode: .output, promise: nil)
      case .close: context.close(promise: nil)
      }
    }
  }

  // MARK: Life

  func handlerAdded(context: ChannelHandlerContext) { arm(context, in: connection.limits.shortest) }

  func handlerRemoved(context: ChannelHandlerContext) { recordEnd() }

  func channelInactive(context: ChannelHandlerContext) {
    recordEnd()
    context.fireChannelInactive()
  }

  /// Cancels the work for a connection that has closed.
  private func recordEnd() {
    timer?.cancel()
    timer = nil
    connection.recordInputClosed()
    waiting.removeAll()
    responding?.cancel()
    blocked?.continuation.resume(throwing: ChannelError.ioOnClosedChannel)
    blocked = nil
  }

  /// One timer for a connection's life.
  private func arm(_ context: ChannelHandlerContext, in time: TimeAmount) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      on(.tick, context)
      if state.output != .closed { arm(context, in: state.wait(at: .now(), connection.client)) }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      endRead(context)
      connection.recordInputClosed()
      on(.inputClosed, context)
    case let event as StopEvent:
      if !event.isFinal { connection.stop() }
      on(.stopping(isFinal: event.isFinal), context)
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow: on(.refused(.headersTooLarge), context)
    case is HTTPParserError:
      on(.refused(.badRequest("the request is not valid HTTP/1.1 (RFC 9112)")), context)
    // The socket failed, so no response can be sent. After a refusal, errors of the decoder are expected.
    default: on(.failed, context)
    }
  }

  // MARK: Inbound

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if readTime == nil { readTime = .now() }
    sawPart = true
    switch unwrapInboundIn(data) {
    case .head(let head): receive(head, context)
    case .body(var bytes):
      let effects = effects(of: .body(bytes: bytes.readableBytes))
      if effects.contains(.passOn) { partial?.body.writeBuffer(&bytes) }
      perform(effects, context)
    case .end:
      gate.count = 0
      let effects = effects(of: .end)
      perform(effects, context)
      guard effects.contains(.passOn), let request = partial.take() else { return }
      waiting.append(request)
      respond(context)
    }
  }

  private func receive(_ sent: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard !gate.isShut else { return }
    let head = sent.inOriginForm
    if let problem = services.admission.problem(head) {
      return on(.refused(problem, isHead: head.method == .HEAD), context)
    }
    if state.authenticationDeadline != nil, services.admission.isTrusted(head) {
      on(.trusted, context)
      connection.trust()
      onTrust()
    }
    if state.outstanding == 0, head.version == .http1_1,
      head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" })
    {
      let permission = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
      context.writeAndFlush(wrapOutboundOut(permission), promise: nil)
    }
    // The decoder stops after a request to upgrade, and after CONNECT, which is one.
    let isLast =
      !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade")
    let effects = effects(
      of: .head(isLast: isLast, bodyLimit: connection.limits.body(of: head)))
    if effects.contains(.passOn) { partial = Request(head, on: connection) }
    perform(effects, context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    on(.decoded(hadPart: sawPart, bytes: gate.count), context)
    sawPart = false
    endRead(context)
  }

  private func endRead(_ context: ChannelHandlerContext) {
    readTime = nil
    if mustFlush {
      mustFlush = false
      context.flush()
    }
  }

  /// A client that sends requests without reading responses is not read from.
  func read(context: ChannelHandlerContext) {
    withholdsRead = !gate.isShut && waiting.count >= Self.mostWaiting
    if !withholdsRead { context.read() }
  }

  func readIfWithheld(_ context: ChannelHandlerContext) {
    if withholdsRead { read(context: context) }
  }

  // MARK: Outbound

  /// Writes a whole response, or its head.
  func write(
    _ response: ReadyResponse, isHead: Bool, isLast: Bool, isOld: Bool = false,
    _ context: ChannelHandlerContext
  ) {
    let body = isHead ? ByteBuffer() : response.body
    // One copy costs less than another buffer for the system.
    let isCopied = body.readableBytes <= Self.mostCopied
    var bytes = head(
      response.head, isLast: isLast, isOld: isOld, room: isCopied ? body.readableBytes : 0)
    if isCopied {
      bytes.writeImmutableBuffer(body)
      end(bytes, context)
    } else {
      context.write(wrapOutboundOut(bytes), promise: nil)
      end(body, context)
    }
  }

  private static let mostCopied = 64 << 10

  /// A head with its empty line.
  ///
  /// - Parameters:
  ///   - isOld: whether the head must state that the connection stays open (RFC 9112, C.2.2).
  ///   - room: bytes that will follow in the same buffer.
  func head(_ fields: ByteBuffer, isLast: Bool, isOld: Bool, room: Int = 0) -> ByteBuffer {
    var head = ByteBuffer()
    head.reserveCapacity(fields.readableBytes + 64 + room)
    head.writeImmutableBuffer(fields)
    if isLast {
      head.writeStaticString("connection: close\r\n")
    } else if isOld {
      head.writeStaticString("connection: keep-alive\r\n")
    }
    if isChunked { head.writeStaticString("transfer-encoding: chunked\r\n") }
    head.writeStaticString("\r\n")
    return head
  }

  /// Writes the last bytes of a response, and notices when the socket has all of it.
  func end(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { [self] _ in
      let effects = effects(of: .written)
      if context.channel.isActive { perform(effects, context) }
    }
    context.write(wrapOutboundOut(bytes), promise: written)
  }

  /// Flushes at the end of a read all that was written in it.
  func flush(_ context: ChannelHandlerContext) {
    if readTime != nil { mustFlush = true } else { context.flush() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    on(.writable(context.channel.isWritable), context)
    if context.channel.isWritable { resume(context) }
  }
}

/// Sent to every connection when the service stops.
struct StopEvent: Sendable {
  /// Whether the time for running requests is up.
  var isFinal = false
}
