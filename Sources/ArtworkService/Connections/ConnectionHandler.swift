import ArtworkModel
import ArtworkPipeline
import Dispatch
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

extension ConnectionHandler {
  /// Begins the responses to waiting requests, in their order, while the client takes what was written.
  func respond(_ context: ChannelHandlerContext) {
    while responding == nil, acceptsWrites, context.channel.isWritable,
      let request = waiting.popFirst()
    {
      if let response = services.router.respondAtOnce(to: request) {
        send(response, to: request, context)
      } else {
        start(request, context)
      }
    }
    readIfWithheld(context)
  }

  /// Goes on when the channel takes more.
  func resume(_ context: ChannelHandlerContext) {
    if let (bytes, continuation) = blocked.take() { write(bytes, continuation, context) }
    respond(context)
  }

  private func send(
    _ response: ReadyResponse, to request: Request, _ context: ChannelHandlerContext
  ) {
    guard acceptsWrites else { return }
    let isLast = effects(of: .responseHead(isLast: false)).contains(.sayLast)
    let effects = effects(of: .responseEnd)
    write(
      response, isHead: request.method == .HEAD, isLast: isLast,
      isOld: request.version == .http1_0, context)
    perform(effects, context)
    flush(context)
  }

  // MARK: Tasks

  private func start(_ request: Request, _ context: ChannelHandlerContext) {
    let router = services.router
    let connected = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    responding = services.running.task {
      let response = await router.respond(to: request)
      guard case .stream(_, let produce) = response.body, request.method != .HEAD else {
        let ready = ReadyResponse(response)
        return loop.execute {
          let (handler, context) = connected.value
          handler.send(ready, to: request, context)
          handler.finish(context)
        }
      }
      let isWhole: Bool
      do {
        try await loop.submit {
          connected.value.handler.begin(response, to: request, connected.value.context)
        }.get()
        try await produce { bytes in
          try await withCheckedThrowingContinuation { continuation in
            loop.execute {
              connected.value.handler.write(bytes, continuation, connected.value.context)
            }
          }
        }
        isWhole = true
      } catch {
        isWhole = false
      }
      loop.execute {
        let (handler, context) = connected.value
        handler.finishStream(isWhole: isWhole, context)
        handler.finish(context)
      }
    }
  }

  private func finish(_ context: ChannelHandlerContext) {
    responding = nil
    respond(context)
  }

  // MARK: Streams

  private func begin(
    _ response: Response, to request: Request, _ context: ChannelHandlerContext
  ) {
    guard acceptsWrites else { return }
    let isOld = request.version == .http1_0
    // An old client sees the end of a body of unknown length by the end of the connection.
    let isEndless = response.length == nil && isOld
    isChunked = response.length == nil && !isOld
    let isLast = effects(of: .responseHead(isLast: isEndless)).contains(.sayLast)
    context.write(
      wrapOutboundOut(head(response.head, isLast: isLast, isOld: isOld)), promise: nil)
    flush(context)
  }

  /// Writes the next bytes, when the channel takes them.
  private func write(
    _ bytes: ByteBuffer, _ continuation: CheckedContinuation<Void, any Error>,
    _ context: ChannelHandlerContext
  ) {
    guard acceptsWrites, context.channel.isActive else {
      return continuation.resume(throwing: ChannelError.ioOnClosedChannel)
    }
    guard context.channel.isWritable else {
      blocked = (bytes, continuation)
      return
    }
    if bytes.readableBytes > 0 {
      context.write(wrapOutboundOut(isChunked ? chunk(bytes) : bytes), promise: nil)
      flush(context)
    }
    continuation.resume()
  }

  private func chunk(_ bytes: ByteBuffer) -> ByteBuffer {
    var chunk = ByteBuffer()
    chunk.reserveCapacity(bytes.readableBytes + 16)
    chunk.writeString("\(String(bytes.readableBytes, radix: 16))\r\n")
    chunk.writeImmutableBuffer(bytes)
    chunk.writeStaticString("\r\n")
    return chunk
  }

  private func finishStream(isWhole: Bool, _ context: ChannelHandlerContext) {
    guard acceptsWrites else { return }
    // What a client has received must not look complete.
    guard isWhole else { return on(.failed, context) }
    let effects = effects(of: .responseEnd)
    end(ByteBuffer(string: isChunked ? "0\r\n\r\n" : ""), context)
    isChunked = false
    perform(effects, context)
    flush(context)
  }
}

/// Stands before the HTTP decoder, which buffers undecoded bytes without a limit.
final class ReadThrottle: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Whether input is dropped.
  var isShut = false
  /// Bytes since the guard last set it to 0.
  var count = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isShut { return }
    count += unwrapInboundIn(data).readableBytes
    context.fireChannelRead(data)
  }
}

/// Counts the connections and requests that have not ended.
struct RunningWork: Sendable {
  private let group = DispatchGroup()

  func begin() { group.enter() }

  func end() { group.leave() }

  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    begin()
    return Task {
      await body()
      end()
    }
  }

  /// Waits, also in a cancelled task, until everything has ended.
  func waitForEnd() async {
    await withCheckedContinuation { ended in
      group.notify(queue: .global()) { ended.resume() }
    }
  }
}
