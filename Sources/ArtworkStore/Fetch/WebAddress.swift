import ArtworkModel
import ArtworkPipeline

/// An http or https address, taken apart strictly: what two readers could understand differently is refused.
struct WebAddress: Sendable, Equatable, CustomStringConvertible {
  var scheme: String
  /// In lower case; IPv6 addresses without brackets.
  var host: String
  var port: Int
  /// Begins with `/`; percent-encoded, without `.`, `..` and encoded slashes.
  var path: String
  var query: String?

  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  /// RFC 3986, `unreserved`, `sub-delims`, and what paths and queries may have besides.
  private static let pathBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%".utf8)
  private static let hostBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-.".utf8)
  private static let longest = 4096

  init(_ text: String) throws(Mistake) {
    guard text.utf8.count <= Self.longest else { throw Mistake(description: "it is too long") }
    guard let colon = text.firstRange(of: "://") else {
      throw Mistake(description: "it is no http or https address")
    }
    scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Mistake(description: "only http and https are fetched")
    }
    // A fragment is the reader's own.
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
  ) throws(Mistake) -> (host: String, port: Int) {
    guard !authority.contains("@") else {
      throw Mistake(description: "names and passwords do not belong into it")
    }
    var host = authority
    var number: Substring?
    if authority.first == "[", let end = authority.firstIndex(of: "]") {
      host = authority[authority.index(after: authority.startIndex)..<end]
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.first == ":" else {
        throw Mistake(description: "its host is unclear")
      }
      number = after.isEmpty ? nil : after.dropFirst()
      guard IPAddress(String(host))?.isVersion6 == true else {
        throw Mistake(description: "its host is no IPv6 address")
      }
    } else {
      if let colon = authority.firstIndex(of: ":") {
        (host, number) = (authority[..<colon], authority[authority.index(after: colon)...])
      }
      host = Substring(host.lowercased())
      guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(hostBytes.contains),
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
      else { throw Mistake(description: "its host is not spelt as a host") }
    }
    guard let number else { return (String(host), scheme == "https" ? 443 : 80) }
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(number),
      (1...65535).contains(port)
    else { throw Mistake(description: "its port is no number from 1 to 65535") }
    return (String(host), port)
  }

  private static func check(_ path: String, _ query: String?) throws(Mistake) {
    let bytes = path.utf8
    guard bytes.allSatisfy(pathBytes.contains),
      (query ?? "").utf8.allSatisfy({ pathBytes.contains($0) || $0 == UInt8(ascii: "?") })
    else { throw Mistake(description: "it has characters that must be percent-encoded") }
    for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
      // What a server may make of it, be it decoded twice.
      let plain = segment.lowercased().replacing("%25", with: "%").replacing("%2e", with: ".")
      guard plain != ".", plain != "..", !plain.contains("%2f"), !plain.contains("%5c") else {
        throw Mistake(description: "its path leads through '.', '..' or encoded slashes")
      }
    }
  }

  /// Where a redirection leads that this address answered with.
  func redirected(to location: String) throws(Mistake) -> WebAddress {
    if location.contains("://") { return try WebAddress(location) }
    if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
    if location.hasPrefix("/") { return try WebAddress(origin + location) }
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
