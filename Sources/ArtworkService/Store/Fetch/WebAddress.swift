import ArtworkModel

/// An http or https URL, parsed strictly: a URL that two parsers could read differently is refused.
struct WebAddress: Sendable, Equatable, CustomStringConvertible {
  var scheme: String
  /// The host in lower case; an IPv6 address has no brackets.
  var host: String
  var port: Int
  /// Begins with `/`. Percent-encoded, without `.` and `..` segments and encoded slashes.
  var path: String
  var query: String?

  struct Invalid: Error, CustomStringConvertible {
    var description: String
  }

  /// RFC 3986: `unreserved`, `sub-delims`, and the other characters of paths and queries.
  private static let pathBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%".utf8)
  private static let hostBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-.".utf8)
  private static let longest = 4096

  init(_ text: String) throws(Invalid) {
    guard text.utf8.count <= Self.longest else { throw Invalid(description: "the URL is too long") }
    guard let colon = text.firstRange(of: "://") else {
      throw Invalid(description: "the URL must begin with http:// or https://")
    }
    scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Invalid(description: "the URL must begin with http:// or https://")
    }
    // A fragment is not sent.
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest[authority.endIndex...]
    (host, port) = try Self.place(authority, scheme)
    path = String(target.prefix { $0 != "?" })
    query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    if path.isEmpty { path = "/" }
    try Self.check(path, query)
  }

  private static func place(
    _ authority: Substring, _ scheme: String
  ) throws(Invalid) -> (host: String, port: Int) {
    guard !authority.contains("@") else {
      throw Invalid(description: "the URL must not have a user name or password")
    }
    var host = authority
    var number: Substring?
    if authority.first == "[", let end = authority.firstIndex(of: "]") {
      host = authority[authority.index(after: authority.startIndex)..<end]
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.first == ":" else {
        throw Invalid(description: "the host is not valid")
      }
      number = after.isEmpty ? nil : after.dropFirst()
      guard IPAddress(String(host))?.isVersion6 == true else {
        throw Invalid(description: "the host in brackets is not an IPv6 address")
      }
    } else {
      if let colon = authority.firstIndex(of: ":") {
        (host, number) = (authority[..<colon], authority[authority.index(after: colon)...])
      }
      host = Substring(host.lowercased())
      guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(hostBytes.contains),
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
      else { throw Invalid(description: "the host is not valid") }
    }
    guard let number else { return (String(host), scheme == "https" ? 443 : 80) }
    guard let port = Int(plainDigits: number), (1...65535).contains(port) else {
      throw Invalid(description: "the port must be a number from 1 to 65535")
    }
    return (String(host), port)
  }

  private static func check(_ path: String, _ query: String?) throws(Invalid) {
    let bytes = path.utf8
    guard bytes.allSatisfy(pathBytes.contains),
      (query ?? "").utf8.allSatisfy({ pathBytes.contains($0) || $0 == UInt8(ascii: "?") })
    else { throw Invalid(description: "some characters of the URL must be percent-encoded") }
    for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
      // As a server may read it, however often it decodes.
      var plain = Array(segment.utf8)
      while let decoded = decodedOnce(plain) { plain = decoded }
      guard plain != Array(".".utf8), plain != Array("..".utf8),
        !plain.contains(UInt8(ascii: "/")), !plain.contains(UInt8(ascii: "\\"))
      else { throw Invalid(description: "the path must not have '.', '..' or encoded slashes") }
    }
  }

  /// Percent-encoded bytes, decoded; `nil` if none is encoded. A `%` without two digits after it stays.
  private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8]? {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let text = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), text.utf8.count == 2, text.allSatisfy(\.isHexDigit),
        let value = UInt8(text, radix: 16)
      {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded.count < bytes.count ? decoded : nil
  }

  /// The target of a redirect from this address.
  func redirected(to location: String) throws(Invalid) -> WebAddress {
    // RFC 3986, 5.2.2. A query may hold another URL.
    if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
    if location.hasPrefix("/") { return try WebAddress(origin + location) }
    if location.hasPrefix("?") { return try WebAddress(origin + path + location) }
    if location.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") {
      return try WebAddress(location)
    }
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    return try WebAddress(origin + folder + location)
  }

  /// Scheme, host and port.
  private var origin: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(host):\(port)"
  }

  var description: String { origin + path + (query.map { "?" + $0 } ?? "") }
}
