import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1, or at a Unix socket, that answers with bytes of the test's choice, valid or not.
package final class LoopbackServer: Sendable {
  /// Writes an answer; `false` if the other side has closed.
  package typealias Send = @Sendable (String) -> Bool

  package struct Failure: Error {}

  /// One accepted connection, on a separate thread.
  package struct Peer: Sendable {
    fileprivate let descriptor: Int32

    /// - Returns: `false` if the client has closed.
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// The next bytes, usually a whole request; empty when the client has closed.
    package func receive() -> String { String(decoding: receiveBytes(), as: UTF8.self) }

    package func receiveBytes() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
      return Array(bytes.prefix(max(0, count)))
    }

    /// Waits until the client closes, at most a minute.
    package func waitForEnd() -> Bool {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&wanted, 1, 60_000) == 1 && receive().isEmpty
    }
  }

  /// 0 for a Unix socket.
  package let port: Int
  private let socket: Int32
  private let seen = Seen()

  private final class Seen: Sendable {
    let requests = Mutex<[String]>([])
    let connections = Mutex(0)
    /// Descriptors of connections; `nil` after ``stop()``.
    let open = Mutex<Set<Int32>?>([])

    /// - Returns: `false` after ``stop()``.
    func add(_ descriptor: Int32) -> Bool {
      open.withLock { $0?.insert(descriptor).inserted ?? false }
    }

    func remove(_ descriptor: Int32) {
      open.withLock {
        _ = $0?.remove(descriptor)
        close(descriptor)
      }
    }

    func stop() {
      open.withLock { open in
        for descriptor in open ?? [] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        open = nil
      }
    }
  }

  /// The first bytes of each connection.
  package var requests: [String] { seen.requests.withLock(\.self) }
  package var connections: Int { seen.connections.withLock(\.self) }

  /// Answers one request for each connection, which is closed after it.
  package convenience init(
    answer: @escaping @Sendable (_ request: String, _ send: Send) -> Void
  ) throws { try self.init { request, peer in answer(request) { peer.send($0) } } }

  /// - Parameters:
  ///   - path: of a Unix socket; `nil` for a port of 127.0.0.1.
  ///   - serve: runs on a separate thread for each connection, which is closed after it.
  package init(
    at path: String? = nil, serve: @escaping @Sendable (_ request: String, _ peer: Peer) -> Void
  ) throws {
    (socket, port) = try path.map { (try Self.listen(at: $0), 0) } ?? Self.listenOnPort()
    let (socket, seen) = (socket, seen)
    Thread.detachNewThread {
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else {
          // Not earlier: another file could get its number while this thread still uses it.
          close(socket)
          return
        }
        seen.connections.withLock { $0 += 1 }
        Thread.detachNewThread {
          defer { seen.remove(connection) }
          guard seen.add(connection) else { return }
          let peer = Peer(descriptor: connection)
          let request = peer.receive()
          seen.requests.withLock { $0.append(request) }
          serve(request, peer)
        }
      }
    }
  }

  /// Ends its thread.
  deinit { shutdown(socket, Int32(SHUT_RDWR)) }

  /// Closes the socket and all connections.
  package func stop() {
    shutdown(socket, Int32(SHUT_RDWR))
    seen.stop()
  }

  private static func listenOnPort() throws -> (socket: Int32, port: Int) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = unsafe withUnsafeMutableBytes(of: &place) { bytes -> Int in
      guard let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        unsafe bind(socket, address, length) == 0, Glibc.listen(socket, 256) == 0,
        unsafe getsockname(socket, address, &length) == 0
      else { return 0 }
      return unsafe Int(UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port))
    }
    guard port > 0 else { throw Failure() }
    return (socket, port)
  }

  private static func listen(at path: String) throws -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    unsafe unlink(path)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    let result = unsafe withUnsafeBytes(of: &place) { bytes in
      unsafe bind(
        socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard result == 0, Glibc.listen(socket, 256) == 0 else { throw Failure() }
    return socket
  }
}
