import Glibc

extension TransferRequest {
  /// Refuses text that libcurl would cut off at a NUL, or that would add lines to the request.
  ///
  /// - Throws: `invalidRequest`; `noConnection` for a socket path that does not fit a socket's address.
  func check() throws(TransferError) {
    guard Self.isToken(method) else {
      throw .invalidRequest("the method must be a token (RFC 9110, 5.6.2)")
    }
    try checkURL()
    for header in headers {
      guard Self.isToken(header.name) else {
        throw .invalidRequest("a header field's name must be a token (RFC 9110, 5.6.2)")
      }
      guard !header.value.utf8.contains(where: { [0x00, 0x0a, 0x0d].contains($0) }) else {
        throw .invalidRequest("the header field \(header.name) must not contain NUL, CR or LF")
      }
    }
    try checkRoute()
  }

  private func checkURL() throws(TransferError) {
    guard url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .invalidRequest("the URL must be percent-encoded")
    }
    let lowered = url.lowercased()
    guard let scheme = ["http://", "https://"].first(where: lowered.hasPrefix) else {
      throw .invalidRequest("the URL must begin with http:// or https://")
    }
    let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    // libcurl would turn a user name into an Authorization field.
    guard !authority.isEmpty, !authority.contains("@") else {
      throw .invalidRequest("the URL must have a host and no user name")
    }
  }

  private func checkRoute() throws(TransferError) {
    switch route {
    case .host: break
    case .address(let address):
      guard !address.isEmpty,
        address.utf8.allSatisfy({ ".:0123456789abcdefABCDEF".utf8.contains($0) })
      else { throw .invalidRequest("the address must be an IP address") }
    case .socket(let path):
      guard !path.utf8.contains(0) else {
        throw .invalidRequest("a socket's path must not contain NUL")
      }
      guard (1...Self.longestSocketPath).contains(path.utf8.count) else {
        throw .noConnection(
          errno: nil, reason: "a socket's path has 1 to \(Self.longestSocketPath) bytes")
      }
    }
  }

  /// Bytes of a path that fit into a Unix socket's address beside the final zero: `sun_path` of sockaddr_un.
  static var longestSocketPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
