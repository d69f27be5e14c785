/// One HTTP/1.1 request. Redirects are not followed, content encodings are not decoded, and no proxy, cookie or
/// `.netrc` is used.
package struct TransferRequest: Sendable {
  package var method: String
  /// `http` or `https`, percent-encoded, without user name and password. The path is sent unchanged.
  package var url: String
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8]?
  /// The endpoint of the connection.
  package var route = Route.host
  package var timeouts = Timeouts()

  package enum Route: Sendable {
    /// Connects to the URL's host, by name lookup.
    case host
    /// Connects to an IP address. `Host` and the server's certificate still name the URL's host.
    case address(String)
    /// Connects to a Unix socket, by its path. Its listener must be this user or root.
    case socket(path: String)
  }

  package struct Timeouts: Sendable {
    /// The time to connect, TLS included.
    package var connect: Duration = .seconds(5)
    /// The time from the start to the end of the response's head.
    package var head: Duration = .seconds(60)
    /// Between two arrivals of bytes of the body, while the reader keeps up.
    package var idle: Duration = .seconds(60)

    package init() {}
  }

  /// Whether the connection may be kept and used by a later request.
  package var keepsConnection = true

  package init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }
}
