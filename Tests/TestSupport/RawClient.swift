package import ArtworkModel
package import ArtworkService
import Foundation
import Glibc
import SystemPackage

/// A client that sends exactly what a test specifies, even invalid data. Blocks; gives up after `timeout` without a
/// byte.
package final class RawClient {
  package struct Closed: Error {}

  package struct Answer {
    package var status: Int
    package var fields: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    package var json: JSONNode { get throws { try JSONReader.read(body) } }

    /// What is at a path in the JSON of the body; `nil` also if it is none.
    package func at(_ path: String) -> JSONNode? { (try? json)?.at(path) }
  }

  private let socket: Socket
  private var descriptor: Int32 { socket.descriptor }
  private var received: [UInt8] = []
  /// Must not end before this client.
  private let service: AnyObject?
  private let timeout: Int

  package init(_ place: ListeningSocket.Place, of service: AnyObject? = nil, timeout: Int = 60)
    throws
  {
    self.service = service
    self.timeout = timeout
    switch place {
    case .local(let path):
      socket = Socket(AF_UNIX)
      let descriptor = socket.descriptor
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.string.utf8)) }
      let result = unsafe withUnsafeBytes(of: &address) { bytes in
        unsafe connect(
          descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count))
      }
      if result != 0 { throw Errno(rawValue: errno) }
    case .loopback(let place):
      socket = Socket(AF_INET)
      let descriptor = socket.descriptor
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = place.port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let result = unsafe withUnsafeBytes(of: &address) { bytes in
        unsafe connect(
          descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count))
      }
      if result != 0 { throw Errno(rawValue: errno) }
    }
    var timeout = timeval(tv_sec: timeout, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  /// A socket that closes with its last owner: its number is nobody else's while a thread still sends.
  fileprivate final class Socket: Sendable {
    let descriptor: Int32

    init(_ family: Int32) { descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0) }

    deinit { close(descriptor) }
  }

  /// - Throws: ``Closed`` when the other side has closed; `Errno` when it takes nothing more.
  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) throws { try sender.send(bytes) }

  /// To send from another thread. The connection stays open until it is released.
  package var sender: Sender { Sender(socket: socket) }

  package struct Sender: Sendable {
    fileprivate let socket: Socket

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EAGAIN { throw Errno.timedOut }
        if count <= 0 { throw Closed() }
        rest = rest.dropFirst(count)
      }
    }
  }

  package func closeOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Waits until something has come, and leaves it there.
  package func waitForInput() throws {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&wanted, 1, 60_000) != 1 { throw Errno.timedOut }
  }

  /// Whether something has come that was not read, or the other side has closed.
  package var hasInput: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wanted, 1, 0) == 1
  }

  /// Bytes that come next.
  ///
  /// - Throws: ``Closed`` at the end; `Errno` when nothing comes.
  package func receive() throws -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count < 0, errno == EAGAIN { throw Errno.timedOut }
    if count <= 0 { throw Closed() }
    return Array(chunk[..<count])
  }

  /// Everything up to the end of the connection.
  package func receiveToEnd() throws -> String {
    while true {
      do {
        received += try receive()
      } catch is Closed {
        return String(decoding: received, as: UTF8.self)
      }
    }
  }

  /// Reads on until `text` has come, for three times its timeout whatever else comes.
  package func receive(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    let limit = ContinuousClock.now + .seconds(3 * timeout)
    while ContinuousClock.now < limit {
      if let end = end(of: wanted) {
        let head = received[..<end]
        received.removeFirst(end)
        return String(decoding: head, as: UTF8.self)
      }
      received += try receive()
    }
    throw Errno.timedOut
  }

  /// Where `wanted` ends in what was received. The standard library takes minutes for megabytes in a debug build.
  private func end(of wanted: [UInt8]) -> Int? {
    Data(received).range(of: Data(wanted))?.upperBound
  }

  package func answer(hasBody: Bool = true) throws -> Answer {
    let lines = try receive(until: "\r\n\r\n").components(separatedBy: "\r\n")
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    var body: [UInt8] = []
    if hasBody, status != 204, status != 304, status >= 200 {
      let length = fields["content-length"].flatMap { Int($0) } ?? 0
      while received.count < length { received += try receive() }
      body = Array(received[..<length])
      received.removeFirst(length)
    }
    return Answer(status: status, fields: fields, body: body)
  }

  package func ask(
    _ method: String, _ target: String, _ fields: [String: String] = [:], json: String? = nil
  ) throws -> Answer {
    try request(method, target, fields, json: json)
    return try answer(hasBody: method != "HEAD")
  }

  /// Sends a request; read what comes with ``answer(hasBody:)``.
  package func request(
    _ method: String, _ target: String, _ fields: [String: String] = [:], json: String? = nil
  ) throws {
    var text = "\(method) \(target) HTTP/1.1\r\n"
    var fields = ["Host": "localhost"].merging(fields) { $1 }
    if let json {
      fields["Content-Length"] = "\(json.utf8.count)"
      fields["Content-Type"] = fields["Content-Type"] ?? "application/json"
    }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    try send(text + "\r\n" + (json ?? ""))
  }
}
