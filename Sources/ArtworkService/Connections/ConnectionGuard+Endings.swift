import NIOCore
import NIOHTTP1

extension ConnectionGuard {
  func refuse(_ problem: Problem, _ context: ChannelHandlerContext, isHead: Bool = false) {
    let isIncomplete = if case .body = reading { true } else { false }
    readNothingMore()
    guard refusal == nil, !isEnding else { return }
    onRefusal(problem)
    // A request whose body is refused would wait for that body for ever.
    if outstanding == 0 || (isIncomplete && outstanding == 1 && !responseHasBegun) {
      answer(problem, isHead: isHead, context)
    } else if isIncomplete {
      context.close(promise: nil)
    } else {
      refusal = (problem, isHead)
    }
  }

  func answer(_ problem: Problem, isHead: Bool, _ context: ChannelHandlerContext) {
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
  func linger(_ context: ChannelHandlerContext) {
    isEnding = true
    readNothingMore()
    context.flush()
    if unwritten == 0 { closeOutput(context) }
  }

  func closeOutput(_ context: ChannelHandlerContext) {
    guard lingersUntil == nil else { return }
    lingersUntil = .now() + limits.linger
    if withholdsInputClosed || endsAtOnce { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
  }

  /// Drops everything that still arrives before the decoder, which would buffer it.
  func readNothingMore() {
    reading = .nothing
    gate.isShut = true
  }

  /// The next handlers close as soon as they have nothing more to write, even if the rest is not written yet.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode != .input, unwritten > 0 else {
      return context.close(mode: mode, promise: promise)
    }
    promise?.succeed()
    if !isEnding { linger(context) }
  }

  /// Whether nothing is lost by not waiting for the client: who hears events asks for them again.
  private var endsAtOnce: Bool { connection.isStopping && connection.isEventStream }

  func stop(_ context: ChannelHandlerContext) {
    connection.stop()
    // Nobody reads, so what is written would not arrive before the time is up.
    if endsAtOnce, !context.channel.isWritable { return context.close(promise: nil) }
    guard outstanding == 0, !isEnding else { return }
    if unwritten == 0 { context.close(promise: nil) } else { linger(context) }
  }
}
