import ArtworkModel
import ArtworkPipeline
import SystemPackage

extension ArtworkSource {
  /// The file of this machine that the source names, by its path or by a `file` URL (RFC 8089), which may stand for a path
  /// that is not UTF-8; `nil` for a source on the web.
  ///
  /// - Throws: `bad-request` for a path that is not absolute, and for a `file` URL of another form.
  func localFile() throws(StoreError) -> (path: FilePath, immutable: Bool)? {
    switch self {
    case .file(let path, let immutable):
      guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
        throw StoreError(.badRequest, "source.path must be an absolute path")
      }
      return (FilePath(path), immutable)
    case .url(let url):
      guard url.prefix(5).lowercased() == "file:" else { return nil }
      guard let bytes = Self.pathBytes(url.dropFirst(5)) else {
        throw StoreError(
          .badRequest,
          "source.url must be file:// and an absolute path, percent-encoded, without ? and #")
      }
      return (FilePath(bytes: bytes), false)
    }
  }

  private static func pathBytes(_ rest: Substring) -> [UInt8]? {
    var rest = rest
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if rest.prefix(while: { $0 != "/" }).lowercased() == "localhost" { rest = rest.dropFirst(9) }
    }
    guard rest.first == "/", !rest.contains(where: { "?#".contains($0) }),
      let bytes = [UInt8](percentEncoded: rest), !bytes.contains(0)
    else { return nil }
    return bytes
  }
}
