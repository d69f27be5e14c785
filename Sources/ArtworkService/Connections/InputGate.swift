import NIOCore

/// Stands before the HTTP decoder, which keeps bytes that it does not decode, however many there are.
final class InputGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// What comes is thrown away.
  var isShut = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isShut { context.fireChannelRead(data) }
  }
}
