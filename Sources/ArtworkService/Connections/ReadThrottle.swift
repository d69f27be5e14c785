import NIOCore

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
