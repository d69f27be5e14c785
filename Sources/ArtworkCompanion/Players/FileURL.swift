import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// File URLs as players write them.
enum FileURL {
  /// The absolute path in a `file:` URL, without `.` and `..`; `nil` for anything else. Spaces and other characters
  /// that a URL must encode are accepted unencoded, because some players write them.
  static func path(_ url: String) -> FilePath? {
    guard url.prefix(5).lowercased() == "file:" else { return nil }
    var rest = url.dropFirst(5)
    if rest.hasPrefix("//") {
      let host = rest.dropFirst(2).prefix { $0 != "/" }
      guard host.isEmpty || host == "localhost" else { return nil }
      rest = rest.dropFirst(2 + host.count)
    }
    let decoded = decoded(rest)
    guard decoded.first == UInt8(ascii: "/"), !decoded.contains(0) else { return nil }
    return FilePath(bytes: decoded).lexicallyNormalized()
  }

  /// Decodes percent-encoded text to bytes; a `%` without two digits after it is kept.
  static func decoded(_ text: some StringProtocol) -> [UInt8] {
    [UInt8](percentEncoded: text) ?? Array(text.utf8)
  }
}
