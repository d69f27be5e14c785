import ArtworkPipeline
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts connections at one socket and answers their requests. Uses Hummingbird's HTTP channel and router, but not its
/// server, which would bind the socket itself, replace a socket in use and set no limit on connections.
struct Listener: Sendable {
  let socket: ListeningSocket
  let threads: MultiThreadedEventLoopGroup
  let admission: Admission
  let limits: ServiceLimits
  let table: ConnectionTable
  let metrics: ServiceMetrics
  let respond: @Sendable (Request, Connection) async -> Response
  let shortcut: PreviewShortcut
  let logger: Logger

  private typealias Client = (connection: HTTP1Channel, value: HTTP1Channel.Value)
  private typealias Server = NIOAsyncChannel<Client?, Never>

  /// Runs until the channel that `onListening` is given is closed and every connection has ended; nothing else ends it.
  func run(onListening: (any Channel) -> Void) async throws {
    let server: Server = try await ServerBootstrap(group: threads)
      .serverChannelInitializer { channel in
        // NIO has listened once more, with 128, and accepts nobody before this returns.
        listen(socket.descriptor, ListeningSocket.backlog)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .bind(socket.descriptor) { channel in setUp(channel) }
    onListening(server.channel)
    // Not cancelled with the caller: the cancelled sequence would drop waiting clients, and NIO ends the process when a
    // channel is dropped unfinished.
    try await Task { try await serve(server) }.value
  }

  private func serve(_ server: Server) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      do {
        try await server.executeThenClose { clients in
          for try await client in clients {
            guard let client else { continue }
            group.addTask { await serve(client) }
          }
        }
      } catch {
        // The socket has failed: its connections are not waited for.
        await table.stop(within: .zero)
        throw error
      }
    }
  }

  /// Cancels the work for a connection when it closes.
  private func serve(_ client: Client) async {
    let serving = Task { await client.connection.handle(value: client.value, logger: logger) }
    client.value.channel.closeFuture.whenComplete { _ in serving.cancel() }
    await serving.value
  }

  private func setUp(_ channel: any Channel) -> EventLoopFuture<Client?> {
    admit(channel).flatMapErrorThrowing { error in
      // Otherwise it would stay open, and count, for ever.
      channel.close(promise: nil)
      throw error
    }
  }

  private func admit(_ channel: any Channel) -> EventLoopFuture<Client?> {
    guard table.admit(channel, isLocal: socket.place.isLocal) else {
      metrics.recordRefusal(.tooManyConnections)
      return reject(channel, .tooManyConnections)
    }
    guard case .local = socket.place else {
      // Otherwise the end of a large response waits for the client's delayed acknowledgement.
      return channel.setOption(.tcpOption(.tcp_nodelay), value: 1).flatMap {
        addHandlers(channel, nil)
      }
    }
    return PeerCredentials.of(channel).flatMap { peer in
      // Process 0 is one that this process cannot see.
      if peer?.isAllowed ?? true {
        return addHandlers(channel, peer.flatMap { $0.process > 0 ? $0.process : nil })
      }
      logger.warning("refused a client of another user")
      return reject(channel, nil)
    }
  }

  private func addHandlers(_ channel: any Channel, _ peer: Int32?) -> EventLoopFuture<Client?> {
    let connection = Connection(
      limits: limits, peer: peer, isTrusted: socket.place.isLocal, on: channel.eventLoop)
    let respond = respond
    var configuration = HTTP1Channel.Configuration()
    configuration.httpDecoder.maxHeaderFieldSize = limits.field
    configuration.httpDecoder.maxHeaderListSize = limits.fields
    configuration.httpDecoder.maxHeaderFieldCount = limits.fieldCount
    let http = HTTP1Channel(
      responder: { request, writer, _ in
        let response = await respond(request, connection)
        try await writer.write(response: response.head, body: response.body)
      }, configuration: configuration)
    return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let gate = ReadThrottle()
      try pipeline.addHandler(gate, position: .before(decoder))
      try pipeline.addHandler(
        ConnectionGuard(
          connection, behind: gate, admission, shortcut,
          onRefusal: { problem in
            metrics.recordRefusal(problem)
            logger.debug(
              "refused", metadata: ["status": "\(problem.status)", "code": "\(problem.code)"])
          }, onTrust: { [weak channel, table] in if let channel { table.trust(channel) } }),
        position: .after(decoder))
      return (http, value)
    }.flatMapErrorThrowing { error in
      connection.recordInboundClosed()
      throw error
    }
  }

  /// The response must wait until the channel is active, which it is after its set-up.
  private func reject(_ channel: any Channel, _ problem: Problem?) -> EventLoopFuture<Client?> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(RejectionHandler(problem))
      return nil
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
    let body = problem.body
    var answer = ByteBuffer(
      string: "HTTP/1.1 \(problem.status) \(problem.title)\r\n"
        + "Content-Type: application/problem+json\r\nRetry-After: 1\r\nConnection: close\r\n"
        + "Content-Length: \(body.readableBytes)\r\n\r\n")
    answer.writeImmutableBuffer(body)
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
