import NIOHTTP1

/// What is looked at before a request is routed: a pure function of its head.
struct Admission: Sendable {
  enum Entrance: Sendable {
    /// A Unix socket, whose modes and peer say who may come in.
    case local
    /// TCP on this machine: browsers come here too, with pages of anybody.
    case loopback(hosts: Set<String>, token: WriteToken)
  }

  var entrance: Entrance
  var bodyLimit: Int

  func problem(_ head: HTTPRequestHead) -> Problem? {
    if case .loopback(let hosts, let token) = entrance {
      let named = head.headers["host"]
      guard named.count == 1, let host = named.first, hosts.contains(host.lowercased()) else {
        return .misdirected(Array(hosts))
      }
      if let problem = origin(head, hosts: hosts) { return problem }
      if Self.changesSomething(head), !isAuthorized(head, token) { return .unauthorized }
    }
    guard head.uri.utf8.first == UInt8(ascii: "/") else {
      return .badRequest("a request's target starts with /")
    }
    if head.method == .PUT || head.method == .POST, !isJSON(head) { return .unsupportedMediaType }
    let lengths = head.headers["content-length"]
    if let length = lengths.first.flatMap({ Int($0) }), length > bodyLimit {
      return .tooLarge(bodyLimit)
    }
    return nil
  }

  /// Pages of others send their origin along; some privacy settings make it `null`.
  private func origin(_ head: HTTPRequestHead, hosts: Set<String>) -> Problem? {
    for origin in head.headers["origin"] {
      guard origin.hasPrefix("http://"), hosts.contains(origin.dropFirst(7).lowercased()) else {
        return .forbidden("pages of other origins may not use this service")
      }
    }
    return nil
  }

  /// A stream of events that owns a session ends it when it closes.
  static func changesSomething(_ head: HTTPRequestHead) -> Bool {
    switch head.method {
    case .GET, .HEAD, .OPTIONS:
      ownsSession(head.uri)
    default: true
    }
  }

  /// However the path is spelled: routers pass over empty parts, and some decode.
  private static func ownsSession(_ uri: String) -> Bool {
    // Most requests are told apart by that, and all of them come here.
    guard partCount(uri) == 2, let query = uri.firstIndex(of: "?") else { return false }
    let parts = uri[..<query].split(separator: "/").map { PercentEncoding.decode($0) ?? "" }
    return parts == ["v1", "events"]
  }

  /// Parts of a target's path that are not empty.
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

  private func isJSON(_ head: HTTPRequestHead) -> Bool {
    let types = head.headers["content-type"]
    guard types.count == 1, let type = types.first else { return false }
    let name = type.prefix { $0 != ";" }.lowercased()
    return name.filter { $0 != " " && $0 != "\t" } == "application/json"
  }
}
