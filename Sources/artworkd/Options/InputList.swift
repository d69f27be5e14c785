import ArtworkPipeline
import SystemPackage

/// Paths on standard input: one a line, or separated by NUL bytes (`find -print0`).
enum InputList {
  static func read() throws -> [FilePath] {
    let bytes = try FileDescriptor.standardInput.contents()
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    return bytes.split(separator: separator).compactMap { line in
      // A list written on Windows ends its lines with CR LF.
      let name = separator != 0 && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return name.isEmpty ? nil : FilePath(bytes: name)
    }
  }
}
