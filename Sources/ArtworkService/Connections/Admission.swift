import ArtworkModel
import NIOHTTP1

extension HTTPRequestHead {
  /// This request without the host in its target, which takes the place of the one `Host` (RFC 9112, 3.2.2).
  var inOriginForm: HTTPRequestHead {
    let scheme = "http://"
    guard uri.utf8.first != UInt8(ascii: "/"), uri.prefix(scheme.count).lowercased() == scheme,
      headers["host"].count == 1
    else { return self }
    let rest = uri.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty, !authority.contains("@") else { return self }
    let path = rest.dropFirst(authority.count)
    var head = self
    head.uri = path.first == "/" ? String(path) : "/\(path)"
    head.headers.replaceOrAdd(name: "host", value: String(authority))
    return head
  }
}

/// Checks a request before it is routed: a pure function of its head.
struct Admission: Sendable {
  enum Transport: Sendable {
    /// A Unix socket, protected by its mode and the peer's user.
    case local
    /// TCP on this machine, which every user and every web page in a browser can reach.
    case loopback(hosts: Set<String>, token: AccessToken)
  }

  var transport: Transport
  var limits: ServiceLimits

  func problem(_ head: HTTPRequestHead) -> Problem? {
    if case .loopback(let hosts, let token) = transport {
      let named = head.headers["host"]
      guard named.count == 1, let host = named.first, hosts.contains(host.lowercased()) else {
        return .misdirected(Array(hosts))
      }
      if let problem = origin(head, hosts: hosts) { return problem }
      if !Self.shows(token, head), !Self.isOpen(head) { return .unauthorized }
    }
    guard head.uri.utf8.first == UInt8(ascii: "/") else {
      return .badRequest("the request target must begin with /")
    }
    // The router would drop it, and take the path for that of another resource.
    if Self.hasEmptySegment(head.uri) {
      return .badRequest("a path has no empty segments: nothing is named between // in it")
    }
    // Only the last coding may be chunked (RFC 9112, 6.1), and the service knows no other.
    let codings = head.headers["transfer-encoding"]
    if codings.count > 1 || codings.contains(where: { $0.lowercased() != "chunked" }) {
      return .unknownCoding
    }
    let lengths = head.headers["content-length"]
    let limit = limits.body(of: head)
    if let length = lengths.first.flatMap({ Int($0) }), length > limit { return .tooLarge(limit) }
    return nil
  }

  /// Whether the path has a segment without a byte, other than the last one.
  private static func hasEmptySegment(_ target: String) -> Bool {
    var last: UInt8?
    for byte in target.utf8 {
      if byte == UInt8(ascii: "?") { break }
      if byte == UInt8(ascii: "/"), last == byte { return true }
      last = byte
    }
    return false
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

  /// Whether every client may have the answer, because it contains nothing about this user.
  private static func isOpen(_ head: HTTPRequestHead) -> Bool {
    guard head.method == .GET || head.method == .HEAD else { return false }
    return openPaths.contains(String(head.uri.prefix { $0 != "?" }))
  }

  /// The paths that need no token: they are equal in every service, or report the health of this one.
  private static let openPaths = Set(PageRoutes.paths + ["/openapi.json", "/healthz"])

  /// Whether the client proves that it may use the service: over a Unix socket by connecting.
  func isTrusted(_ head: HTTPRequestHead) -> Bool {
    guard case .loopback(_, let token) = transport else { return true }
    return Self.shows(token, head)
  }

  private static func shows(_ token: AccessToken, _ head: HTTPRequestHead) -> Bool {
    let given = head.headers["authorization"]
    let scheme = "bearer "
    // Bytes are quicker to count and compare than characters.
    guard given.count == 1, let text = given.first?.utf8, text.count > scheme.utf8.count,
      zip(text, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 })
    else { return false }
    return token.matches(Substring(text.dropFirst(scheme.utf8.count)))
  }
}
