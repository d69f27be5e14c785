import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A server on 127.0.0.1 that answers each connection with bytes of the test's choice, lies included.
final class LoopbackServer: Sendable {
  /// Writes an answer; `false` when the other side has gone.
  typealias Send = @Sendable (String) -> Bool

  let port: Int
  private let socket: Int32
  private let seen = Seen()

  /// The request heads that came.
  var requests: [String] { seen.heads.withLock(\.self) }

  private final class Seen: Sendable {
    let heads = Mutex<[String]>([])
  }

  struct Failure: Error {}

  /// - Parameter answer: on a thread of its own for each connection, which is closed after it.
  init(answer: @escaping @Sendable (_ request: String, _ send: Send) -> Void) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int in
        guard bind(socket, address, length) == 0, listen(socket, 16) == 0,
          getsockname(socket, address, &length) == 0
        else { return 0 }
        return place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
    guard port > 0 else { throw Failure() }
    (self.socket, self.port) = (socket, port)
    let seen = seen
    Thread.detachNewThread {
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else {
          // Not earlier: its number would be somebody else's, while this thread still uses it.
          close(socket)
          return
        }
        Thread.detachNewThread { [weak self] in
          defer { close(connection) }
          var head = [UInt8](repeating: 0, count: 8192)
          let count = recv(connection, &head, head.count, 0)
          let request = String(decoding: head.prefix(max(0, count)), as: UTF8.self)
          seen.heads.withLock { $0.append(request) }
          answer(request) { text in
            let bytes = Array(text.utf8)
            return send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
          }
        }
      }
    }
  }

  /// Ends its thread.
  deinit { shutdown(socket, Int32(SHUT_RDWR)) }
}
