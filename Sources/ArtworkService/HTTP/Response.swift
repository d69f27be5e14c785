import NIOCore
import NIOHTTP1

/// The answer to a request.
struct Response: Sendable {
  /// Takes the next bytes of a body. Returns when the connection has room for more, and throws when it is lost.
  typealias Write = @Sendable (ByteBuffer) async throws -> Void

  enum Body: Sendable {
    case bytes(ByteBuffer)
    /// - Parameter length: bytes of the whole; `nil` if they are not known before.
    case stream(length: Int?, @Sendable (Write) async throws -> Void)
  }

  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  var body: Body

  init(
    _ status: HTTPResponseStatus = .ok, _ headers: HTTPHeaders = [:],
    _ body: Body = .bytes(ByteBuffer())
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Bytes of the body; `nil` if they are not known before.
  var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.readableBytes
    case .stream(let length, _): length
    }
  }

  /// The status line and the header fields, without those about the connection and the empty line after them.
  var head: ByteBuffer {
    var head = ByteBuffer()
    head.reserveCapacity(512)
    head.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
    for (name, value) in headers { head.writeString("\(name): \(value)\r\n") }
    if status.mayHaveResponseBody, let length {
      head.writeString("Content-Length: \(length)\r\n")
    }
    head.writeString(Self.fieldsOfAll)
    return head
  }

  private static let fieldsOfAll =
    "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
}

/// A response whose head is put together only once.
struct ReadyResponse: Sendable {
  var head: ByteBuffer
  var body: ByteBuffer

  init(_ response: Response) {
    head = response.head
    if case .bytes(let bytes) = response.body { body = bytes } else { body = ByteBuffer() }
  }
}
