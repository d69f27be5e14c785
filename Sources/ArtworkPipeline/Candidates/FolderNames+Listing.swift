/// Folders are listed, and no file is opened.
extension FolderNames {
  /// The names beside a candidate. A folder that cannot be read has none, because its candidates report the error.
  init(beside candidate: Candidate) {
    self.init(of: candidate.path.removingLastComponent(), below: candidate.folder)
  }

  /// The names in a folder; none if it cannot be read.
  ///
  /// - Parameter root: a folder above it, out of which no link leads.
  package init(of folder: FilePath, below root: FilePath? = nil) {
    let root = root ?? (folder.isEmpty ? "." : folder)
    var below = folder.isEmpty ? root : folder
    guard below.removePrefix(root), let opened = try? Folder(opening: root),
      let entries = try? opened.entries(of: below)
    else {
      self.init()
      return
    }
    self.init(entries.filter { $0.kind != .folder }.map(\.name))
  }

  /// The static cover beside a video.
  package static func cover(beside video: FilePath) -> FilePath? {
    let folder = video.removingLastComponent()
    let own = video.lastComponent.flatMap { ArtworkName(fileName: $0.string)?.artworkID }
    return FolderNames(of: folder).cover(of: own, beside: video.lastComponent)
      .map(folder.appending)
  }
}

extension Candidate {
  /// Another file in the same folder.
  func neighbour(_ name: FilePath.Component) -> Candidate {
    Candidate(
      path: path.removingLastComponent().appending(name), folder: folder,
      previewStem: FilePath(root: nil, [name]))
  }
}
