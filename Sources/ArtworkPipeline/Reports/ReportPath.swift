/// Paths of files as URIs (RFC 3986), relative to a folder.
extension ReportSetting {
  /// Relative to ``folder``, also upwards: for a page beside the files.
  func pageLink(to path: FilePath) -> String {
    Self.relative(currentFolder.pushing(path), to: folder).percentEncoded
  }

  /// The URI relative to ``currentFolder``; `nil` for a path outside it.
  func uriBelowCurrentFolder(_ path: FilePath) -> String? {
    let relative = Self.relative(currentFolder.pushing(path), to: currentFolder)
    return relative.isAbsolute || relative.components.first?.kind == .parentDirectory
      ? nil : relative.percentEncoded
  }

  func fileURI(_ path: FilePath) -> String {
    "file://" + currentFolder.pushing(path).lexicallyNormalized().percentEncoded
  }

  /// Both absolute. By name: links are not followed.
  private static func relative(_ path: FilePath, to folder: FilePath) -> FilePath {
    let (path, folder) = (path.lexicallyNormalized(), folder.lexicallyNormalized())
    guard path.isAbsolute, folder.isAbsolute else { return path }
    let (target, base) = (Array(path.components), Array(folder.components))
    var shared = 0
    while shared < min(target.count - 1, base.count), target[shared] == base[shared] { shared += 1 }
    var result = FilePath()
    for _ in shared..<base.count { result.append("..") }
    result.append(target[shared...])
    return result
  }
}
