import SystemPackage

/// The commands that a help names, with the path of the file that it is about.
enum ReadyCommand {
  /// For a POSIX shell in the current folder. Empty if the help names none, or if the path cannot stand in a command that
  /// people paste: a terminal acts on control characters, and bytes that are no text are lost on the way.
  static func all(in help: String, for path: FilePath) -> [String] {
    let clip = ShellWord.pathBytes(path)
    let input = String(decoding: ShellWord.quoted(bytes: clip), as: UTF8.self)
    guard Array(input.utf8) == ShellWord.quoted(bytes: clip), input.printable == input else {
      return []
    }
    var commands: [String] = []
    if help.contains("`artworkd loop`") { commands.append("artworkd loop \(input)") }
    if let found = help.firstMatch(of: /(ffmpeg -i )IN( .* )OUT\.(\w+)/) {
      let output = ShellWord.pathBytes(LoopFiles(clip: path).named("fixed.\(found.3)"))
      let quoted = String(decoding: ShellWord.quoted(bytes: output), as: UTF8.self)
      commands.append("\(found.1)\(input)\(found.2)\(quoted)")
    }
    return commands
  }
}
