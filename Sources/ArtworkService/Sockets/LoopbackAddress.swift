import ArtworkModel

/// A loopback address with its port, the only kind that the service listens on by TCP.
package struct LoopbackAddress: Sendable, Hashable, CustomStringConvertible {
  package enum Version: Int32, Sendable {
    case four = 4
    case six = 6
  }

  package var version: Version
  /// 0 lets the system choose.
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

  /// What a browser or a client may call this place.
  var hosts: Set<String> {
    // A browser leaves out the port that it takes for granted.
    let names = ["127.0.0.1", "localhost", "[::1]"]
    return Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }
}
