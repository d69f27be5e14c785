/// The results of one shard, as `check --shard` writes them.
struct ShardFile {
  let path: FilePath
  private(set) var results: [CandidateReport] = []
  let summary: Summary
  let shard: Shard

  /// Reads the file once, from start to end.
  init(_ path: FilePath) throws(MergeError) {
    self.path = path
    func failure(_ message: String, _ help: String) -> MergeError {
      MergeError(file: path, message: message, help: help)
    }
    let again =
      "check this shard again: artworkd check --shard I/N --format ndjson --output \(path.string)"
    var closing: Summary?
    var number = 0
    do {
      var lines = ResultLines(try SourceFile(path))
      while let line = try lines.next() {
        number += 1
        guard closing == nil else {
          throw failure("line \(number) follows the summary", "merge each file by itself")
        }
        if let report = JSONReport.result(line: line.bytes) {
          results.append(report)
        } else if let summary = JSONReport.summary(line: line.bytes) {
          closing = summary
        } else if line.isEnded {
          throw failure(
            "line \(number) is not a result of a shard",
            "make it with artworkd check --shard I/N --format ndjson --output \(path.string)")
        } else {
          throw failure("its last line is incomplete: the run was stopped", again)
        }
      }
    } catch let error as MergeError {
      throw error
    } catch let error as OpenError {
      throw failure("cannot be opened: \(error.words)", "check the path and the permissions")
    } catch {
      throw failure("cannot be read: \(error)", "check the disk, and that it is NDJSON")
    }
    guard let closing else {
      throw failure("it ends without a summary: the run was stopped", again)
    }
    guard let shard = closing.shard, closing.candidates != nil else {
      throw failure(
        "its summary names no shard",
        "make it with artworkd check --shard I/N --format ndjson")
    }
    guard closing.total == results.count else {
      throw failure(
        "it has \(results.count) results, and its summary counts \(closing.total)", again)
    }
    (summary, self.shard) = (closing, shard)
  }
}

extension Rules {
  /// Rules that compare releases with each other, so that no shard can decide them.
  static let acrossReleases: Set = [ArtworkIDReuseRule.id, DuplicateContentRule.id]
}

extension Shard {
  /// Whether the release with this name belongs to the shard: the first 8 bytes of the SHA-256 of its UTF-8, as a
  /// big-endian number, modulo ``count``.
  package func holds(_ name: String) -> Bool {
    guard let digest = try? SHA256.digest(of: Array(name.utf8)) else { return index == 1 }
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number % UInt64(count) == UInt64(index - 1)
  }
}

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

/// Why results cannot be merged.
package struct MergeError: Error, Sendable, Equatable {
  /// The file that is to blame; `nil` if it is about all of them.
  package var file: FilePath?
  /// The problem, in a sentence.
  package var message: String
  /// The advice.
  package var help: String
}

extension MergeError: CustomStringConvertible {
  package var description: String { (file.map { "\($0.string): " } ?? "") + message }
}
