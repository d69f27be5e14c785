import NIOCore

/// Stands before the HTTP decoder, which buffers undecoded bytes without a limit.
final class InputGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Whether input is dropped.
  var isShut = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isShut { context.fireChannelRead(data) }
  }
}
