/// The lines of a file of results, read in parts.
package struct ResultLines {
  package struct Line {
    /// Without the line break.
    package var bytes: [UInt8]
    /// Whether it ends with a line break: the last line of a run that was killed may not.
    package var isEnded: Bool
  }

  /// Results have a few kilobytes. A line longer than 64 MiB is not a result.
  private static let longest = 64 << 20

  private let file: SourceFile
  /// Bytes that were read, of which those before `start` have been returned.
  private var bytes: [UInt8] = []
  private var start = 0
  /// Offset of `start` in the file.
  private var offset: Int64 = 0
  private var isAtEnd = false

  package init(_ file: SourceFile) { self.file = file }

  /// - Throws: errors of reading; `.fileTooLarge` for a line that is too long to be a result.
  package mutating func next() throws(Errno) -> Line? {
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(upTo: end, isEnded: true)
      }
      if isAtEnd { return start < bytes.count ? take(upTo: bytes.count, isEnded: false) : nil }
      if bytes.count - start > Self.longest { throw .fileTooLarge }
      searched = bytes.count - start
      let more = try file.read(at: offset + Int64(searched))
      isAtEnd = more.isEmpty
      bytes = bytes[start...] + more
      start = 0
    }
  }

  private mutating func take(upTo end: Int, isEnded: Bool) -> Line {
    let line = Line(bytes: Array(bytes[start..<end]), isEnded: isEnded)
    let next = isEnded ? end + 1 : end
    offset += Int64(next - start)
    start = next
    return line
  }
}
