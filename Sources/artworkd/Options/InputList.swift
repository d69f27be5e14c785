import ArtworkPipeline
import SystemPackage

/// Paths on standard input: one a line, or separated by NUL bytes (`find -print0`).
enum InputList {
  static func read() throws(Errno) -> [FilePath] {
    let bytes = try everything(from: .standardInput)
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    return bytes.split(separator: separator).compactMap { line in
      // A list written on Windows ends its lines with CR LF.
      let name = separator != 0 && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return name.isEmpty ? nil : FilePath(bytes: name)
    }
  }

  private static func everything(from file: FileDescriptor) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    do {
      while true {
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
