/// Words for a POSIX shell, quoted so that they mean exactly their text.
package enum ShellWord {
  /// Characters that need no quotes anywhere in a word.
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-".utf8)

  package static func quoted(_ text: String) -> String {
    String(decoding: quoted(bytes: Array(text.utf8)), as: UTF8.self)
  }

  /// Single quotes keep everything but a single quote (POSIX, 2.2.2), also line breaks and bytes that are
  /// no text.
  package static func quoted(bytes: [UInt8]) -> [UInt8] {
    if !bytes.isEmpty, bytes.allSatisfy(plain.contains) { return bytes }
    let quote = UInt8(ascii: "'")
    return [quote] + bytes.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] } + [quote]
  }

  /// A path as a word that no program mistakes for an option. Bytes that are not text are lost.
  package static func quoted(_ path: FilePath) -> String {
    String(decoding: quoted(bytes: pathBytes(path)), as: UTF8.self)
  }

  /// A path for a program that has options and, like ffmpeg, `protocol:` prefixes: it starts with neither.
  package static func pathBytes(_ path: FilePath) -> [UInt8] {
    let bytes = path.pathBytes
    return path.isAbsolute || bytes.starts(with: Array("./".utf8))
      || bytes.starts(with: Array("../".utf8))
      ? bytes : Array("./".utf8) + bytes
  }
}
