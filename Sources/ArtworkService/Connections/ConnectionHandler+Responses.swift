import NIOCore
import NIOHTTP1

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
