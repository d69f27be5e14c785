import ArtworkPipeline
import SystemPackage

/// Paths and URLs on standard input: one a line, or separated by NUL bytes (`find -print0`).
struct InputList {
  private(set) var paths: [FilePath] = []
  private(set) var urls: [String] = []

  static func read() throws(Errno) -> InputList {
    let bytes = try everything(from: .standardInput)
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    var list = InputList()
    for line in bytes.split(separator: separator) {
      // A list written on Windows ends its lines with CR LF.
      let name = separator != 0 && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if name.isEmpty { continue }
      let start = String(decoding: name.prefix(8), as: UTF8.self)
      if isURL(start) {
        list.urls.append(String(decoding: name, as: UTF8.self))
      } else {
        list.paths.append(FilePath(bytes: name))
      }
    }
    return list
  }

  /// Whether a text is a URL and no path: a path of this kind has a `./` before it.
  static func isURL(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }

  static func everything(from file: FileDescriptor) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    do {
      while true {
        let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
