/// A clip's path, and the names of the files made from it in the current folder.
package struct LoopFiles: Sendable {
  package var clip: FilePath
  /// The options of the search, by which parts are numbered.
  package var options: [String]

  package init(clip: FilePath, options: [String] = []) {
    self.clip = clip
    self.options = options
  }

  /// `<name>.<suffix>`; the name's bytes are kept, since they need not be text.
  package func named(_ suffix: String) -> FilePath {
    var name = FilePath(root: nil, clip.lastComponent.map { [$0] } ?? ["clip"])
    name.extension = nil
    return FilePath(bytes: name.pathBytes + Array(".\(suffix)".utf8))
  }

  package var strip: FilePath { named("loop-strip.png") }
  package var animation: FilePath { named("loop.png") }

  /// The command that writes a part.
  ///
  /// - Parameter part: its number in the list, or `dissolve`.
  package func command(_ part: String) -> String {
    let name = named(part == "dissolve" ? "loop-fade.mp4" : "loop\(part).mp4")
    let words = options + [ShellWord.quoted(clip), "--part", part, "-o", ShellWord.quoted(name)]
    return "artworkd loop " + words.joined(separator: " ")
  }
}
