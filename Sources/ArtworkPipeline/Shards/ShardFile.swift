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
