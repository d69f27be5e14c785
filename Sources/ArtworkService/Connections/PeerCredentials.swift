import ArtworkPipeline
import Glibc
import NIOCore

/// The process at the other end of a Unix socket (SO_PEERCRED, unix(7)).
struct PeerCredentials: Sendable {
  var process: Int32 = 0
  var user: UInt32 = 0
  var group: UInt32 = 0

  /// Whether it belongs to this user or root.
  var isAllowed: Bool { user == geteuid() || user == 0 }

  /// Asks the kernel who is at the other end of a Unix socket.
  static func of(_ channel: any Channel) -> EventLoopFuture<PeerCredentials?> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    let asked: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return asked.map { $0 }
  }
}
