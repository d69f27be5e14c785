import ArtworkModel

/// A loopback address and port. The service listens on no other TCP addresses.
package struct LoopbackAddress: Sendable, Hashable, CustomStringConvertible {
  package enum Version: Int32, Sendable {
    case four = 4
    case six = 6
  }

  package var version: Version
  /// Port; with 0 the system chooses one.
  package var port: UInt16

  package init(version: Version = .four, port: UInt16) {
    self.version = version
    self.port = port
  }

  /// - Parameter text: `127.0.0.1:PORT`, `[::1]:PORT` or `localhost:PORT`.
  /// - Throws: ``StartError/notLoopback(_:)``.
  package init(_ text: String) throws(StartError) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(plainDigits: text[text.index(after: colon)...])
    else { throw .notLoopback(text) }
    self.port = port
    switch text[..<colon] {
    case "127.0.0.1", "localhost": version = .four
    case "[::1]": version = .six
    default: throw .notLoopback(text)
    }
  }

  package var description: String { "\(version == .four ? "127.0.0.1" : "[::1]"):\(port)" }

  /// The `Host` values that clients may send.
  var hosts: Set<String> {
    // Browsers leave out the default port.
    let names = ["127.0.0.1", "localhost", "[::1]"]
    return Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }
}
