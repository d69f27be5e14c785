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
    let again = "check this shard again: artworkd check --shard I/N --resume \(path.string)"
    var closing: Summary?
    var number = 0
    do {
      var lines = ResultLines(try SourceFile(path))
      while let line = try lines.next() {
        number += 1
        guard closing == nil else {
          throw failure("line \(number) follows the summary", "merge each file by itself")
        }
        if var report = JSONReport.result(line: line.bytes) {
          // A third of the size of a result, and no rule across releases needs it.
          report.inspection?.firstFrame = nil
          report.evidence?.signature = nil
          results.append(report)
        } else if let summary = JSONReport.summary(line: line.bytes) {
          closing = summary
        } else if line.isEnded {
          throw failure(
            "line \(number) is not a result with evidence",
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
    guard let shard = closing.shard, closing.list != nil else {
      throw failure(
        "its summary names no shard",
        "make it with artworkd check --shard I/N --format ndjson, or --evidence for all in one")
    }
    guard closing.total == results.count else {
      throw failure(
        "it has \(results.count) results, and its summary counts \(closing.total)", again)
    }
    (summary, self.shard) = (closing, shard)
  }
}
