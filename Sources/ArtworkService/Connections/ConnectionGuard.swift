import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1

/// Watches one connection: deadlines that are absolute, sizes, who may come in. Stands right behind the HTTP decoder, on
/// the event loop, so that nothing else is spent on who is refused.
///
/// A refusal is the last answer of a connection: what is in flight is finished first, then the client has a moment to
/// read it.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum Reading {
    /// No byte of the next request has come.
    case between
    case head(since: NIODeadline)
    case body(since: NIODeadline, count: Int)
    /// The end of a request that has its answer.
    case answered
    /// What still comes is thrown away.
    case nothing
  }

  private let connection: Connection
  private let gate: InputGate
  private let admission: Admission
  private let shortcut: PreviewShortcut
  private let onRefusal: @Sendable (Problem) -> Void
  private var limits: ServiceLimits { connection.limits }

  private var reading = Reading.between
  /// Whether a part came out of the decoder since the last read began.
  private var sawPart = false
  /// Requests that were passed on and have no full answer.
  private var outstanding = 0
  /// Answers that are complete and that the system has not taken to their end.
  private var unwritten = 0
  private var responseHasBegun = false
  /// The client wants no answer after that to the request that was read last.
  private var sawLastRequest = false
  private var closesAfterResponse = false
  private var hasUnflushedAnswers = false
  /// The client has closed its side, and those behind do not know yet: they would close the other one.
  private var withholdsInputClosed = false
  /// Others write no more, and our side closes when everything is written.
  private var isEnding = false
  private var refusal: (problem: Problem, isHead: Bool)?
  private var idleSince = NIODeadline.now()
  private var blockedSince: NIODeadline?
  private var lingersUntil: NIODeadline?
  private var timer: Scheduled<Void>?

  init(
    _ connection: Connection, behind gate: InputGate, _ admission: Admission,
    _ shortcut: PreviewShortcut,
    onRefusal: @escaping @Sendable (Problem) -> Void
  ) {
    self.connection = connection
    self.gate = gate
    self.admission = admission
    self.shortcut = shortcut
    self.onRefusal = onRefusal
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
      // Who holds a session by a stream and closes its side holds it no longer, whether it reads or not.
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

  /// Whether an answer is on its way to a request that is complete.
  private var isAnswering: Bool {
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
    case (.end, .answered): reading = .between
    case (.end, _):
      if sawLastRequest { readNothingMore() } else { reading = .between }
      context.fireChannelRead(data)
    case (.body, _): return
    }
  }

  private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext, _ data: NIOAny) {
    var since = NIODeadline.now()
    if case .head(let first) = reading { since = first }
    if let problem = admission.problem(head) {
      return refuse(problem, context, isHead: head.method == .HEAD)
    }
    // Answers that the client does not take must not pile up: then they wait behind a task.
    // What is asked to upgrade is not read any further by the decoder.
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
    // Bytes came and nothing of them is a part: the beginning of a head.
    if !sawPart, case .between = reading { reading = .head(since: .now()) }
    sawPart = false
    if hasUnflushedAnswers {
      hasUnflushedAnswers = false
      context.flush()
    }
    context.fireChannelReadComplete()
  }

  private func write(_ answer: PreviewShortcut.Answer, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
    if let png = answer.png {
      context.write(wrapOutboundOut(.body(.byteBuffer(png))), promise: nil)
    }
    end(wrapOutboundOut(.end(nil)), nil, context)
    hasUnflushedAnswers = true
  }

  /// Writes the end of an answer, and knows when the system has all of it.
  private func end(
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
      refuse(.badRequest("this is not HTTP/1.1 as RFC 9112 has it"), context)
    // Whatever the socket says: nobody is there to be answered. More errors of the decoder follow a refusal.
    default: if !isEnding { context.close(promise: nil) }
    }
  }

  // MARK: Outbound

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isEnding {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      if head.status.code >= 200 { responseHasBegun = true }
      if connection.isStopping || (sawLastRequest && outstanding == 1) {
        closesAfterResponse = true
      }
      if closesAfterResponse {
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        return
      }
      if head.headers["connection"].contains("close") { closesAfterResponse = true }
      context.write(data, promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      responseHasBegun = false
      outstanding -= 1
      end(data, promise, context)
      if closesAfterResponse {
        linger(context)
      } else if outstanding == 0, let (problem, isHead) = refusal {
        answer(problem, isHead: isHead, context)
      }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    blockedSince = context.channel.isWritable ? nil : .now()
    context.fireChannelWritabilityChanged()
  }

  // MARK: Endings

  private func refuse(_ problem: Problem, _ context: ChannelHandlerContext, isHead: Bool = false) {
    let isIncomplete = if case .body = reading { true } else { false }
    readNothingMore()
    guard refusal == nil, !isEnding else { return }
    onRefusal(problem)
    // The request whose body is refused waits for that body and would answer never.
    if outstanding == 0 || (isIncomplete && outstanding == 1 && !responseHasBegun) {
      answer(problem, isHead: isHead, context)
    } else if isIncomplete {
      context.close(promise: nil)
    } else {
      refusal = (problem, isHead)
    }
  }

  private func answer(_ problem: Problem, isHead: Bool, _ context: ChannelHandlerContext) {
    let body = problem.body
    var head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: problem.status))
    for field in problem.fields { head.headers.add(name: field.name, value: field.value) }
    head.headers.add(name: "content-length", value: "\(body.readableBytes)")
    head.headers.add(name: "connection", value: "close")
    isEnding = true
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    end(wrapOutboundOut(.end(nil)), nil, context)
    linger(context)
  }

  /// Closes our side when everything is written, and waits for the client to close its own: closing at once while it
  /// still sends would take the answer away from it.
  private func linger(_ context: ChannelHandlerContext) {
    isEnding = true
    readNothingMore()
    context.flush()
    if unwritten == 0 { closeOutput(context) }
  }

  private func closeOutput(_ context: ChannelHandlerContext) {
    guard lingersUntil == nil else { return }
    lingersUntil = .now() + limits.linger
    if withholdsInputClosed { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
  }

  /// What still comes is thrown away before it is decoded, or it would pile up there.
  private func readNothingMore() {
    reading = .nothing
    gate.isShut = true
  }

  /// Those behind close as soon as they have nothing to write, or cannot write any more, whether the rest is written or
  /// not.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode != .input, unwritten > 0 else {
      return context.close(mode: mode, promise: promise)
    }
    promise?.succeed()
    if !isEnding { linger(context) }
  }

  private func stop(_ context: ChannelHandlerContext) {
    connection.stop()
    guard outstanding == 0, !isEnding else { return }
    if unwritten == 0 { context.close(promise: nil) } else { linger(context) }
  }

  // MARK: Deadlines

  private enum Expiry {
    case tooSlow
    case silently
  }

  private var deadline: (at: NIODeadline, expiry: Expiry)? {
    if let lingersUntil { return (lingersUntil, .silently) }
    if let blockedSince, !connection.ownsSession { return (blockedSince + limits.write, .silently) }
    switch reading {
    case .head(let since): return (since + limits.head, .tooSlow)
    case .body(let since, _): return (since + limits.request, .tooSlow)
    case .between, .answered, .nothing: break
    }
    guard outstanding == 0 else { return nil }
    return (idleSince + (unwritten == 0 ? limits.idle : limits.write), .silently)
  }

  /// One timer for a connection's life, never later than the soonest deadline that could have been set since.
  private func arm(_ context: ChannelHandlerContext, in time: TimeAmount) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in tick(context) }
  }

  private func tick(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    guard let (end, expiry) = deadline, end <= now else {
      let wait = deadline.map { $0.at - now } ?? limits.shortest
      return arm(context, in: min(wait, limits.shortest))
    }
    switch expiry {
    case .silently: context.close(promise: nil)
    case .tooSlow:
      refuse(.tooSlow, context)
      arm(context, in: limits.shortest)
    }
  }
}

/// Told to every connection when the service stops.
struct StopEvent: Sendable {
  /// The time is up: nothing is finished any more.
  var isFinal = false
}
