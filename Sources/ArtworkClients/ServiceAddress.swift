import ArtworkModel
public import FoundationEssentials

/// The address of the service.
public enum ServiceAddress: Sendable, Hashable {
  /// A Unix socket, by its absolute path. A path has at most 107 bytes.
  case socket(path: String)
  /// A TCP port of this machine.
  ///
  /// - Parameters:
  ///   - host: a name or an address, an IPv6 address in brackets.
  ///   - token: the contents of the service's token file, which every request needs.
  case tcp(host: String, port: Int, token: String? = nil)

  /// The socket that `$ARTWORKD_SOCKET` names, else `artworkd/artworkd.sock` in `$XDG_RUNTIME_DIR`, else
  /// `/tmp/artworkd-<uid>/artworkd.sock`. Empty variables are ignored.
  public static func standard(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> ServiceAddress {
    .socket(path: DefaultSocket.path(environment))
  }

  /// Parses an address such as `http://127.0.0.1:8080`. `nil` for other schemes, without a port, and with a path.
  public init?(url: String, token: String? = nil) {
    guard url.hasPrefix("http://") else { return nil }
    let rest = url.dropFirst("http://".count)
    let place = rest.hasSuffix("/") ? rest.dropLast() : rest
    guard let colon = place.lastIndex(of: ":"), let port = Int(place[place.index(after: colon)...]),
      (1...65535).contains(port)
    else { return nil }
    let host = place[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    guard !host.isEmpty, isBracketed || host.allSatisfy(Self.isOfName) else { return nil }
    self = .tcp(host: String(host), port: port, token: token)
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || ".-".contains(character))
  }

  /// The folder of the socket if that is the standard one and no variable names it.
  var folderOfStandard: String? {
    let environment = ProcessInfo.processInfo.environment
    let folder = DefaultSocket.folder(environment)
    guard case .socket(let path) = self, path == DefaultSocket.path(environment),
      path == DefaultSocket.path(in: folder)
    else { return nil }
    return folder
  }

  /// The part of a URL before the path.
  var base: String {
    switch self {
    // A socket has no host, but HTTP requires one.
    case .socket: "http://localhost"
    case .tcp(let host, let port, _): "http://\(host):\(port)"
    }
  }

  var token: String? {
    if case .tcp(_, _, let token) = self { token } else { nil }
  }
}

extension ServiceAddress: CustomStringConvertible {
  /// The address without the token.
  public var description: String {
    switch self {
    case .socket(let path): path
    case .tcp(let host, let port, _): "http://\(host):\(port)"
    }
  }
}

extension String {
  /// The text, percent-encoded as one path segment or one query value (RFC 3986): all but unreserved characters, and
  /// the segments `.` and `..` completely.
  var percentEncoded: String {
    if self == "." { return "%2E" }
    if self == ".." { return "%2E%2E" }
    let digits = Array("0123456789ABCDEF")
    return utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text.append("%")
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
    }
  }
}
