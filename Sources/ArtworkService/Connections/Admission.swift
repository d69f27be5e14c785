import NIOHTTP1

/// Checks a request before it is routed: a pure function of its head.
struct Admission: Sendable {
  enum Transport: Sendable {
    /// A Unix socket, protected by its mode and the peer's user.
    case local
    /// TCP on this machine, which every web page in a browser can reach.
    case loopback(hosts: Set<String>, token: WriteToken)
  }

  var transport: Transport
  var bodyLimit: Int

  func problem(_ head: HTTPRequestHead) -> Problem? {
    if case .loopback(let hosts, let token) = transport {
      let named = head.headers["host"]
      guard named.count == 1, let host = named.first, hosts.contains(host.lowercased()) else {
        return .misdirected(Array(hosts))
      }
      if let problem = origin(head, hosts: hosts) { return problem }
      if Self.changesSomething(head), !isAuthorized(head, token) { return .unauthorized }
    }
    guard head.uri.utf8.first == UInt8(ascii: "/") else {
      return .badRequest("the request target must begin with /")
    }
    let lengths = head.headers["content-length"]
    if let length = lengths.first.flatMap({ Int($0) }), length > bodyLimit {
      return .tooLarge(bodyLimit)
    }
    return nil
  }

  /// Browsers send the origin of other sites' pages, or `null` with some privacy settings.
  private func origin(_ head: HTTPRequestHead, hosts: Set<String>) -> Problem? {
    for origin in head.headers["origin"] {
      guard origin.hasPrefix("http://"), hosts.contains(origin.dropFirst(7).lowercased()) else {
        return .forbidden("pages of other origins must not use this service")
      }
    }
    return nil
  }

  /// An event stream that owns a session changes something: it ends the session when it closes.
  static func changesSomething(_ head: HTTPRequestHead) -> Bool {
    switch head.method {
    case .GET, .HEAD, .OPTIONS:
      ownsSession(head.uri)
    default: true
    }
  }

  /// For every spelling of the path: routers skip empty parts, and some decode.
  private static func ownsSession(_ uri: String) -> Bool {
    // Decides most requests cheaply; every request comes here.
    guard partCount(uri) == 2, let query = uri.firstIndex(of: "?") else { return false }
    let parts = uri[..<query].split(separator: "/").map { PercentEncoding.decode($0) ?? "" }
    return parts == ["v1", "events"]
  }

  /// The nonempty parts of a target's path.
  private static func partCount(_ uri: String) -> Int {
    var (count, isInside) = (0, false)
    for byte in uri.utf8 {
      if byte == UInt8(ascii: "?") { break }
      if byte != UInt8(ascii: "/"), !isInside { count += 1 }
      isInside = byte != UInt8(ascii: "/")
    }
    return count
  }

  private func isAuthorized(_ head: HTTPRequestHead, _ token: WriteToken) -> Bool {
    let given = head.headers["authorization"]
    guard given.count == 1, let text = given.first, text.count > 7,
      text.prefix(7).lowercased() == "bearer "
    else { return false }
    return token.matches(text.dropFirst(7))
  }
}
