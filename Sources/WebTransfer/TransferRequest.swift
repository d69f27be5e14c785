/// One HTTP/1.1 request. Redirections are not followed, answers are not unpacked, and no proxy, cookie or
/// `.netrc` is used.
package struct TransferRequest: Sendable {
  package var method: String
  /// `http` or `https`, percent-encoded.
  package var url: String
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8]?
  /// Where the connection goes.
  package var route = Route.host
  package var patience = Patience()

  package enum Route: Sendable {
    /// To the URL's host, whose name is looked up.
    case host
    /// To an IP address; the URL's host still names the server in `Host` and its certificate.
    case address(String)
    /// To a Unix socket, by its path.
    case socket(path: String)
  }

  package struct Patience: Sendable {
    /// Until the connection stands, TLS included.
    package var connect: Duration = .seconds(5)
    /// Until the head of the answer is complete.
    package var head: Duration = .seconds(60)
    /// Between two arrivals of bytes of the body.
    package var idle: Duration = .seconds(60)

    package init() {}
  }

  /// Whether a connection may be kept and used again.
  package var keepsConnection = true

  package init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }
}
