import ArtworkPipeline
import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts connections at one socket and sets them up.
struct Listener: Sendable {
  let socket: ListeningSocket
  let threads: MultiThreadedEventLoopGroup
  let services: ConnectionServices
  let limits: ServiceLimits
  let table: ConnectionTable
  let logger: Logger

  /// Returns when it listens. Closing the channel ends that.
  func listen() async throws -> any Channel {
    var bootstrap = ServerBootstrap(group: threads)
      .serverChannelInitializer { channel in
        // NIO has listened once more, with 128, and accepts nobody before this returns.
        Glibc.listen(socket.descriptor, ListeningSocket.backlog)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelInitializer { setUp($0) }
    if !socket.place.isLocal {
      // Otherwise the end of a large response waits for the client's delayed acknowledgement.
      bootstrap = bootstrap.childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    }
    return try await bootstrap.withBoundSocket(socket.descriptor).get()
  }

  /// If it fails, NIO closes the connection.
  private func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
    services.running.begin()
    channel.closeFuture.whenComplete { _ in services.running.end() }
    guard table.admit(channel, isLocal: socket.place.isLocal) else {
      services.onRefusal(.tooManyConnections)
      return reject(channel, .tooManyConnections)
    }
    guard case .local = socket.place else { return addHandlers(channel, nil) }
    return PeerCredentials.of(channel).flatMap { peer in
      // Process 0 is one that this process cannot see.
      if peer?.isAllowed ?? true {
        return addHandlers(channel, peer.flatMap { $0.process > 0 ? $0.process : nil })
      }
      logger.warning("refused a client of another user")
      return reject(channel, nil)
    }
  }

  private func addHandlers(_ channel: any Channel, _ peer: Int32?) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let connection = Connection(limits: limits, peer: peer, isTrusted: socket.place.isLocal)
      var limits = NIOHTTPDecoderLimitConfiguration()
      limits.maxHeaderFieldSize = self.limits.field
      limits.maxHeaderListSize = self.limits.fields
      limits.maxHeaderFieldCount = self.limits.fieldCount
      let gate = ReadThrottle()
      let handler = ConnectionHandler(
        connection, behind: gate, services,
        onTrust: { [weak channel, table] in if let channel { table.trust(channel) } })
      try channel.pipeline.syncOperations.addHandlers(
        gate,
        ByteToMessageHandler(
          HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
        handler)
    }
  }

  /// The response must wait until the channel is active, which it is after its set-up.
  private func reject(_ channel: any Channel, _ problem: Problem?) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(RejectionHandler(problem))
    }
  }
}

/// Sends a problem, if there is one, and closes.
private final class RejectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let problem: Problem?

  init(_ problem: Problem?) { self.problem = problem }

  func channelActive(context: ChannelHandlerContext) {
    guard let problem else { return context.close(promise: nil) }
    let response = ReadyResponse(problem.response)
    var answer = response.head
    answer.writeStaticString("connection: close\r\n\r\n")
    answer.writeImmutableBuffer(response.body)
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
