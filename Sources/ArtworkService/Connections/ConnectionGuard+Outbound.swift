import NIOCore
import NIOHTTP1

extension ConnectionGuard {
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
      if closesAfterResponse || (connection.isStopping && outstanding == 0) {
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
}
