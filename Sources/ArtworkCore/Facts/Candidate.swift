/// A file to check.
package struct Candidate: Sendable, Hashable {
  package var path: FilePath
  /// The searched folder, which contains the file after links are resolved. Links that lead out of it and
  /// absolute links are rejected; hard links count as files. On systems without openat2 every link is rejected.
  /// `nil` for a file that the caller named itself.
  package var folder: FilePath?
  /// The path of its preview below the preview folder, without key and extension: its path below the searched
  /// folder, or its own stem.
  package var previewStem: FilePath
  /// The source of a file that is downloaded for the check. It may contain secrets, so it is never printed. `nil` for
  /// a local file.
  package private(set) var url: String?

  /// - Parameter folder: a prefix of `path`.
  package init(path: FilePath, folder: FilePath? = nil, previewStem: FilePath) {
    self.path = path
    self.folder = folder
    self.previewStem = previewStem
  }

  /// A file that the caller named itself.
  package init(path: FilePath) {
    // Not through String, because a name need not be UTF-8.
    var stem = FilePath(root: nil, path.lastComponent.map { [$0] } ?? ["preview"])
    stem.extension = nil
    self.init(path: path, previewStem: stem)
  }

  /// A file that is downloaded for the check.
  ///
  /// - Parameter url: `http` or `https`. Its host and path become ``path``: `media.example.com/song/1x1.mp4`. User
  ///   name, password, query and fragment are left out, because links that grant access keep their secret there.
  package init(url: String) {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let place = rest.prefix { $0 != "?" && $0 != "#" }
    let authority = place.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    self.init(path: FilePath(String(host ?? authority) + place[authority.endIndex...]))
    self.url = url
  }
}
