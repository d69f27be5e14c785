import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1

/// Enforces absolute deadlines, sizes and admission on one connection. Stands right behind the HTTP decoder, on the event
/// loop, so that a refused client costs little.
///
/// A refusal is the last response of a connection. Responses under way are finished first; then the client has a moment to
/// read it. What happens when is decided by ``ConnectionState``.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let connection: Connection
  private let gate: ReadThrottle
  private let admission: Admission
  private let shortcut: PreviewShortcut
  private let onRefusal: @Sendable (Problem) -> Void
  private let onTrust: @Sendable () -> Void
  private var state: ConnectionState
  /// Whether the decoder produced a part since the last read began.
  private var sawPart = false
  private var hasUnflushedAnswers = false
  private var timer: Scheduled<Void>?

  init(
    _ connection: Connection, behind gate: ReadThrottle, _ admission: Admission,
    _ shortcut: PreviewShortcut,
    onRefusal: @escaping @Sendable (Problem) -> Void, onTrust: @escaping @Sendable () -> Void
  ) {
    self.connection = connection
    self.gate = gate
    self.admission = admission
    self.shortcut = shortcut
    self.onRefusal = onRefusal
    self.onTrust = onTrust
    let isUnauthenticated = if case .loopback = admission.transport { true } else { false }
    state = ConnectionState(connection.limits, isUnauthenticated: isUnauthenticated, at: .now())
  }

  private func on(
    _ event: ConnectionState.Event, _ context: ChannelHandlerContext, _ data: NIOAny? = nil
  ) {
    perform(state.on(event, at: .now(), connection.client), context, data)
  }

  private func perform(
    _ effects: [ConnectionState.Effect], _ context: ChannelHandlerContext, _ data: NIOAny? = nil
  ) {
    for effect in effects {
      switch effect {
      case .passOn: if let data { context.fireChannelRead(data) }
      case .dropInput: gate.isShut = true
      case .note(let problem): onRefusal(problem)
      case .answer(let problem, let isHead): answer(problem, isHead: isHead, context)
      // The code that writes the head adds it.
      case .sayLast: break
      case .flush: context.flush()
      case .passInputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      case .closeOutput: context.close(mode: .output, promise: nil)
      case .close: context.close(promise: nil)
      }
    }
  }

  // MARK: Life

  func handlerAdded(context: ChannelHandlerContext) { arm(context, in: connection.limits.shortest) }

  func handlerRemoved(context: ChannelHandlerContext) { noteEnd() }

  func channelInactive(context: ChannelHandlerContext) {
    noteEnd()
    context.fireChannelInactive()
  }

  private func noteEnd() {
    timer?.cancel()
    timer = nil
    connection.recordInboundClosed()
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
      connection.recordInboundClosed()
      on(.inputClosed, context)
    case let event as StopEvent:
      if !event.isFinal { connection.stop() }
      on(.stopping(isFinal: event.isFinal), context)
    default: context.fireUserInboundEventTriggered(event)
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
    sawPart = true
    switch unwrapInboundIn(data) {
    case .head(let head): receive(head, context, data)
    case .body(let bytes): on(.body(bytes: bytes.readableBytes), context, data)
    case .end:
      gate.count = 0
      on(.end, context, data)
    }
  }

  private func receive(_ sent: HTTPRequestHead, _ context: ChannelHandlerContext, _ data: NIOAny) {
    guard !gate.isShut else { return }
    let head = sent.inOriginForm
    // Whole heads are slow to compare.
    let data = head.uri == sent.uri ? data : NIOAny(HTTPServerRequestPart.head(head))
    if let problem = admission.problem(head) {
      return on(.refused(problem, isHead: head.method == .HEAD), context)
    }
    if state.authenticationDeadline != nil, admission.isTrusted(head) {
      on(.trusted, context)
      connection.trust()
      onTrust()
    }
    // The decoder stops after a request to upgrade.
    let isLast = !head.isKeepAlive || head.headers.contains(name: "upgrade")
    if !isLast, state.mayAnswerAtOnce, let answer = shortcut.answer(head) {
      on(.answeredHead, context)
      hasUnflushedAnswers = true
      return write(answer.head, answer.body, context)
    }
    if state.outstanding == 0,
      head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" })
    {
      let permission = HTTPResponseHead(version: head.version, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(permission)), promise: nil)
    }
    on(.head(isLast: isLast), context, data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    on(.decoded(hadPart: sawPart, bytes: gate.count), context)
    sawPart = false
    if hasUnflushedAnswers {
      hasUnflushedAnswers = false
      context.flush()
    }
    context.fireChannelReadComplete()
  }

  // MARK: Outbound

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard state.acceptsWrites else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      let event = ConnectionState.Event.responseHead(
        isInformal: head.status.code < 200, isLast: head.headers["connection"].contains("close"))
      if state.on(event, at: .now(), connection.client).contains(.sayLast) {
        head.headers.replaceOrAdd(name: "connection", value: "close")
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      let effects = state.on(.responseEnd, at: .now(), connection.client)
      end(data, promise, context)
      perform(effects, context)
    }
  }

  private func answer(_ problem: Problem, isHead: Bool, _ context: ChannelHandlerContext) {
    let body = problem.body
    var head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: problem.status))
    for field in problem.fields { head.headers.add(name: field.name, value: field.value) }
    head.headers.add(name: "content-length", value: "\(body.readableBytes)")
    head.headers.add(name: "connection", value: "close")
    write(head, isHead ? nil : body, context)
  }

  private func write(
    _ head: HTTPResponseHead, _ body: ByteBuffer?, _ context: ChannelHandlerContext
  ) {
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    end(wrapOutboundOut(.end(nil)), nil, context)
  }

  /// Writes the end of a response, and tells when the socket has all of it.
  private func end(
    _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
  ) {
    let written = promise ?? context.eventLoop.makePromise()
    written.futureResult.assumeIsolated().whenComplete { [self] _ in
      let effects = state.on(.written, at: .now(), connection.client)
      if context.channel.isActive { perform(effects, context) }
    }
    context.write(data, promise: written)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    on(.writable(context.channel.isWritable), context)
    context.fireChannelWritabilityChanged()
  }

  /// The next handlers close as soon as they have nothing more to write, even if the rest is not written yet.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode != .input, state.unwritten > 0 else {
      return context.close(mode: mode, promise: promise)
    }
    promise?.succeed()
    on(.closing, context)
  }
}

/// Sent to every connection when the service stops.
struct StopEvent: Sendable {
  /// Whether the time for running requests is up.
  var isFinal = false
}
