internal import Crypto
internal import GRDB
public import Logging
import Synchronization
import SystemPackage

/// What was measured of files that have not changed since, in a SQLite database that several processes may
/// use at once.
///
/// It only saves time: whatever is wrong with it is logged, and files are looked at as if it was not there. Not
/// synced to disk, since all of it can be measured again.
public final class InspectionCache: Sendable {
  /// Which result is meant.
  struct Key: Hashable {
    /// Absolute.
    var path: [UInt8]
    /// What was wanted of the file.
    var request: String
  }

  /// The most results that are kept: 100,000, some 300 MB. The ones that were not asked for the longest go first.
  static let largestCount = 100_000
  /// Results in one transaction. A hundred cost little more than one.
  private static let batchSize = 100

  private struct Pending {
    var results: [Key: (condition: String, outcome: [UInt8])] = [:]
    var touched: [Key] = []
    var found = 0
    var kept = 0
    var isClosed = false
  }

  let file: CacheFile
  private let database: DatabaseQueue
  private let logger: Logger
  private let pending = Mutex(Pending())

  init(file: CacheFile, database: DatabaseQueue, logger: Logger) {
    (self.file, self.database, self.logger) = (file, database, logger)
  }

  /// What was kept for `key`, if that was under the same condition.
  func outcome(for key: Key, condition: String) -> [UInt8]? {
    if pending.withLock(\.isClosed) { return nil }
    do {
      let row = try database.read { database in
        try Row.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT used, checksum, outcome FROM inspections
              WHERE path = ? AND request = ? AND condition = ?
              """),
          arguments: [key.path.asBlob, key.request, condition])
      }
      guard let row else { return nil }
      let (used, checksum, outcome): (Int64?, Blob?, Blob?) = (row[0], row[1], row[2])
      // SQLite does not notice a byte that turned.
      guard let used, let checksum, let outcome,
        checksum.elementsEqual(Self.checksum(key, condition, Array(outcome)))
      else { return nil }
      let isOld = used != Self.today
      pending.withLock { pending in
        pending.found += 1
        if isOld { pending.touched.append(key) }
      }
      return Array(outcome)
    } catch {
      giveUp(error)
      return nil
    }
  }

  /// Keeps a result, soon.
  func keep(_ outcome: [UInt8], for key: Key, condition: String) {
    let isFull = pending.withLock { pending in
      if pending.isClosed { return false }
      pending.results[key] = (condition, outcome)
      return pending.results.count >= Self.batchSize
    }
    if isFull { flush() }
  }

  /// Writes what waits.
  public func flush() {
    let work = pending.withLock { pending -> Pending? in
      if pending.isClosed { return nil }
      let work = pending
      (pending.results, pending.touched) = ([:], [])
      pending.kept += work.results.count
      return work
    }
    guard let work, !work.results.isEmpty || !work.touched.isEmpty else { return }
    do {
      try database.write { database in
        let insert = try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO inspections VALUES (?, ?, ?, ?, ?, ?)")
        for (key, result) in work.results {
          try insert.execute(arguments: [
            key.path.asBlob, key.request, result.condition, Self.today,
            Self.checksum(key, result.condition, result.outcome).asBlob, result.outcome.asBlob,
          ])
        }
        let touch = try database.cachedStatement(
          sql: "UPDATE inspections SET used = ? WHERE path = ? AND request = ?")
        for key in work.touched {
          try touch.execute(arguments: [Self.today, key.path.asBlob, key.request])
        }
      }
    } catch {
      giveUp(error)
    }
  }

  /// Writes what waits, drops what is too much, and closes the database.
  public func finish() {
    flush()
    let isOpen = pending.withLock { pending in
      defer { pending.isClosed = true }
      return !pending.isClosed
    }
    guard isOpen else { return }
    let (found, kept) = pending.withLock { ($0.found, $0.kept) }
    logger.debug("inspections", metadata: ["found": "\(found)", "kept": "\(kept)"])
    do {
      if kept > 0 { try drop(beyond: Self.largestCount) }
      try database.close()
    } catch {
      logger.debug("cache not closed", metadata: ["reason": "\(error)"])
    }
  }

  /// Forgets the results that were not asked for the longest.
  func drop(beyond count: Int) throws {
    try database.write { database in
      let all = try Int.fetchOne(database, sql: "SELECT count(*) FROM inspections") ?? 0
      guard all > count else { return }
      try database.execute(
        sql: """
          DELETE FROM inspections WHERE rowid IN
          (SELECT rowid FROM inspections ORDER BY used, rowid LIMIT ?)
          """,
        arguments: [all - count])
    }
  }

  /// From now on, files are looked at as if there was no cache.
  private func giveUp(_ error: any Error) {
    let isFirst = pending.withLock { pending in
      defer { pending = Pending(isClosed: true) }
      return !pending.isClosed
    }
    guard isFirst else { return }
    let isDamaged = error.isDatabaseDamage
    logger.debug(
      isDamaged ? "cache set aside" : "cache not used",
      metadata: ["file": "\(file.path.percentEncoded)", "reason": "\(error)"])
    if isDamaged { file.setAside() }
  }

  private static func checksum(_ key: Key, _ condition: String, _ outcome: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    for part in [key.path, Array(key.request.utf8), Array(condition.utf8), outcome] {
      hash.update(data: part + [0])
    }
    return Array(hash.finalize())
  }

  /// Days since 1970: what was used is told once a day, not each time.
  private static var today: Int64 { Duration.sinceEpoch.components.seconds / 86_400 }
}
