package import Logging
import Synchronization

/// Results of earlier inspections, in a SQLite database that several processes may use at once.
///
/// The cache only saves time: if anything is wrong with it, that is logged, and files are inspected as if there was
/// no cache. Writes are not synced to disk, because everything can be measured again.
package final class InspectionCache: Sendable {
  /// The key of one result.
  struct Key: Hashable {
    /// The bytes of the absolute path.
    var path: [UInt8]
    /// The request, as stored in a row.
    var request: String
  }

  /// The cache holds at most 100,000 results, and the pictures of at most 10,000 candidates for reports. It drops the least
  /// recently used ones first. A result takes some 3 KB, and pictures some 30 KB: 600 MB in all.
  static let largestCounts = Counts(results: 100_000, pictures: 10_000)
  /// The prefix of requests whose rows contain pictures.
  static let picturesPrefix = "pictures of "
  /// Results per transaction. A hundred cost little more than one.
  private static let batchSize = 100

  struct Counts {
    var results: Int
    var pictures: Int
  }

  private struct Pending {
    var results: [Key: (condition: String, outcome: [UInt8])] = [:]
    var touched: [Key] = []
    var found = 0
    var kept = 0
    var isClosed = false
  }

  let file: CacheFile
  private let database: SQLiteDatabase
  private let logger: Logger
  private let pending = Mutex(Pending())

  init(file: CacheFile, database: SQLiteDatabase, logger: Logger) {
    (self.file, self.database, self.logger) = (file, database, logger)
  }

  /// The result stored for `key`, if it was stored under the same condition.
  func outcome(for key: Key, condition: String) -> [UInt8]? {
    if pending.withLock(\.isClosed) { return nil }
    do {
      let row = try database.withConnection { connection in
        try connection.first(
          """
          SELECT used, checksum, outcome FROM inspections
          WHERE path = ? AND request = ? AND condition = ?
          """, [.blob(key.path), .text(key.request), .text(condition)]
        ) { row in
          // `nil` for a row that was damaged.
          try? (row.integer(0), row.blob(1), row.blob(2))
        } ?? nil
      }
      // SQLite does not notice a flipped bit.
      guard let (used, checksum, outcome) = row,
        checksum == (try Self.checksum(key, condition, outcome))
      else { return nil }
      let isOld = used != Self.today
      pending.withLock { pending in
        pending.found += 1
        if isOld { pending.touched.append(key) }
      }
      return outcome
    } catch {
      giveUp(error)
      return nil
    }
  }

  /// Stores a result with the next transaction.
  func keep(_ outcome: [UInt8], for key: Key, condition: String) {
    let isFull = pending.withLock { pending in
      if pending.isClosed { return false }
      pending.results[key] = (condition, outcome)
      return pending.results.count >= Self.batchSize
    }
    if isFull { flush() }
  }

  /// Writes the results that are waiting.
  package func flush() {
    let work = pending.withLock { pending -> Pending? in
      if pending.isClosed { return nil }
      let work = pending
      (pending.results, pending.touched) = ([:], [])
      pending.kept += work.results.count
      return work
    }
    guard let work, !work.results.isEmpty || !work.touched.isEmpty else { return }
    do {
      try database.transaction { connection in
        for (key, result) in work.results {
          try connection.run(
            "INSERT OR REPLACE INTO inspections VALUES (?, ?, ?, ?, ?, ?)",
            [
              .blob(key.path), .text(key.request), .text(result.condition), .integer(Self.today),
              .blob(try Self.checksum(key, result.condition, result.outcome)),
              .blob(result.outcome),
            ])
        }
        for key in work.touched {
          try connection.run(
            "UPDATE inspections SET used = ? WHERE path = ? AND request = ?",
            [.integer(Self.today), .blob(key.path), .text(key.request)])
        }
      }
    } catch {
      giveUp(error)
    }
  }

  /// Writes the results that are waiting, drops the oldest beyond the limit, and closes the database.
  package func finish() {
    flush()
    let isOpen = pending.withLock { pending in
      defer { pending.isClosed = true }
      return !pending.isClosed
    }
    guard isOpen else { return }
    let (found, kept) = pending.withLock { ($0.found, $0.kept) }
    logger.debug("inspections", metadata: ["found": "\(found)", "kept": "\(kept)"])
    do {
      if kept > 0 { try drop(beyond: Self.largestCounts) }
      try database.close()
    } catch {
      logger.debug("cache not closed", metadata: ["reason": "\(error)"])
    }
  }

  /// Drops the least recently used results beyond the counts.
  func drop(beyond counts: Counts) throws {
    for (kind, count) in [("NOT LIKE", counts.results), ("LIKE", counts.pictures)] {
      let rows = "inspections WHERE request \(kind) '\(Self.picturesPrefix)%'"
      try database.transaction { connection in
        func number(_ query: String) throws -> Int64 {
          try connection.first("SELECT \(query)") { row in try row.integer(0) } ?? 0
        }
        // Counting reads every row. Their numbers show quickly that there cannot be too many.
        let most = try number(
          "coalesce((SELECT max(rowid) FROM inspections) - (SELECT min(rowid) FROM inspections) + 1, 0)"
        )
        guard most > count else { return }
        let all = try number("count(*) FROM \(rows)")
        guard all > count else { return }
        try connection.run(
          """
          DELETE FROM inspections WHERE rowid IN
          (SELECT rowid FROM \(rows) ORDER BY used, rowid LIMIT ?)
          """, [.integer(all - Int64(count))])
      }
    }
  }

  /// Closes the cache: from now on, files are inspected as if there was none.
  private func giveUp(_ error: any Error) {
    let isFirst = pending.withLock { pending in
      defer { pending = Pending(isClosed: true) }
      return !pending.isClosed
    }
    guard isFirst else { return }
    let isDamaged = (error as? SQLiteError)?.isDamage ?? false
    logger.debug(
      isDamaged ? "cache set aside" : "cache not used",
      metadata: ["file": "\(file.path.percentEncoded)", "reason": "\(error)"])
    if isDamaged { file.quarantine() }
  }

  private static func checksum(
    _ key: Key, _ condition: String, _ outcome: [UInt8]
  ) throws(DigestError) -> [UInt8] {
    var hash = try SHA256()
    for part in [key.path, Array(key.request.utf8), Array(condition.utf8), outcome] {
      try hash.update(part)
      try hash.update([0])
    }
    return try hash.finish()
  }

  /// Days since 1970: a row is marked as used once a day, not at each use.
  private static var today: Int64 { Duration.sinceEpoch.components.seconds / 86_400 }
}

extension InspectionCache {
  /// The folder of the cache: `$ARTWORKD_CACHE_DIR`, else `artworkd` in `$XDG_CACHE_HOME` or `~/.cache`. Relative
  /// paths are ignored (XDG Base Directory Specification). `nil` if none of the variables is set.
  package static func folder(environment: [String: String]) -> FilePath? {
    func folder(_ name: String) -> FilePath? {
      environment[name].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    return folder("ARTWORKD_CACHE_DIR")
      ?? (folder("XDG_CACHE_HOME") ?? folder("HOME")?.appending(".cache"))?.appending("artworkd")
  }

  /// Opens `inspections.sqlite` in `folder`. Creates the file and its folders if necessary. A damaged file is renamed
  /// to `inspections.sqlite.damaged`.
  ///
  /// - Parameter logger: receives one line at the level `debug` if the cache cannot be used.
  /// - Returns: `nil` if the cache cannot be used.
  package static func open(in folder: FilePath, logger: Logger) -> InspectionCache? {
    let path = folder.appending("inspections.sqlite")
    func warn(_ message: Logger.Message, _ reason: any Error) {
      logger.debug(
        message, metadata: ["file": "\(path.percentEncoded)", "reason": "\(reason)"])
    }
    do {
      let (file, database) = try CacheFile.open(path) { warn("cache set aside", $0) }
      return InspectionCache(file: file, database: database, logger: logger)
    } catch {
      warn("cache not used", error)
      return nil
    }
  }
}

/// Identifies the code that measures. Another build may measure something else.
enum MeasuringVersion {
  /// Identifies this build and its FFmpeg. Derived from the file of the running program, so that it never has to be
  /// changed by hand. `nil` if that file cannot be examined.
  static let current: String? = FileStamp(of: program, beneath: nil).map { stamp in
    "\(stamp.state.device) \(stamp.state.inode) \(stamp.state.size) \(stamp.state.modified.attoseconds)"
      + " ffmpeg \(FFmpegVersion.text)"
  }

  /// The version for results from another machine, on which this program is a different file: a digest of it.
  static let ofContent: String? = FileDigester().digest(of: Candidate(path: program)).map {
    "\($0.hexadecimal) ffmpeg \(FFmpegVersion.text)"
  }

  private static var program: FilePath {
    "/proc/self/exe"
  }
}
