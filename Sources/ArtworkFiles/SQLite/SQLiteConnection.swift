internal import CSQLite

/// One connection, which ``SQLiteDatabase`` lends to one thread at a time. Its calls block.
///
/// ``run(_:_:)``, ``rows(_:_:_:)`` and ``first(_:_:_:)`` prepare a statement once and keep it until the connection closes.
package struct SQLiteConnection: ~Copyable {
  /// `nil` if the connection is closed.
  private var handle: SQLiteHandle?
  private var statements: [String: SQLiteStatement] = [:]

  package init(
    _ path: FilePath, _ access: SQLiteAccess, busyTimeout: Duration
  ) throws(SQLiteError) {
    handle = try SQLiteHandle(path, access, busyTimeout: busyTimeout)
    if access == .alone { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // SQLite opens any file. Only the first read reveals whether it is a database.
    try execute("SELECT * FROM sqlite_master LIMIT 1")
  }

  /// Runs statements without values, and ignores their rows. The prepared statements are not kept.
  package mutating func execute(_ script: String) throws(SQLiteError) {
    let connection = try pointer("execute")
    let code = sqlite3_exec(connection, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, of: connection, "execute") }
  }

  /// Runs one statement, and ignores its rows.
  ///
  /// - Parameter values: one for each `?`.
  package mutating func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    try statement(sql).run(values)
  }

  /// Calls `body` for each row of one statement.
  ///
  /// - Throws: ``SQLiteError``, and the errors of `body`.
  package mutating func rows(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws -> Void
  ) throws {
    try statement(sql).run(values) { row in
      try body(row)
      return true
    }
  }

  /// The result of `body` for the first row of one statement; `nil` if there is no row.
  ///
  /// - Throws: ``SQLiteError``, and the errors of `body`.
  package mutating func first<R>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws -> R
  ) throws -> R? {
    var result: R?
    try statement(sql).run(values) { row in
      result = try body(row)
      return false
    }
    return result
  }

  /// Begins a transaction that writes.
  package mutating func begin() throws(SQLiteError) {
    // IMMEDIATE: a transaction that reads first cannot wait for another writer later.
    try execute("BEGIN IMMEDIATE")
  }

  mutating func commit() throws(SQLiteError) {
    // SQLite itself rolls back after some errors, such as a full disk.
    guard isInTransaction else {
      throw SQLiteError(SQLITE_ABORT, "the transaction was rolled back", "commit")
    }
    try execute("COMMIT")
  }

  /// Rolls back, unless SQLite has done so.
  mutating func rollBack() {
    // If this fails, closing the connection rolls back.
    if isInTransaction { try? execute("ROLLBACK") }
  }

  /// Closes the connection; every call throws `SQLITE_MISUSE` afterwards. The last connection merges the log into the
  /// database file.
  package mutating func close() throws(SQLiteError) {
    statements = [:]
    try handle.take()?.close()
  }

  private var isInTransaction: Bool {
    (try? pointer("commit")).map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  private mutating func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try SQLiteStatement(sql, on: pointer("prepare"))
    statements[sql] = statement
    return statement
  }

  private func pointer(_ operation: String) throws(SQLiteError) -> OpaquePointer {
    switch handle {
    case .some(let handle): return handle.pointer
    case .none: throw SQLiteError(SQLITE_MISUSE, "the database is closed", operation)
    }
  }
}

/// Whether a connection may write, and create the file.
package enum SQLiteAccess: Sendable {
  case readOnly
  /// Creates the file if it does not exist.
  case readWrite
  /// Creates the file if it does not exist, and locks all other connections out. In return, a write-ahead log needs no
  /// file that they share.
  case alone
  /// Reads a file that nobody writes to, without locks and without its log.
  case unchanging
}

/// Owns a connection of SQLite, which stays open until its last statement is finalized.
private struct SQLiteHandle: ~Copyable {
  let pointer: OpaquePointer

  init(_ path: FilePath, _ access: SQLiteAccess, busyTimeout: Duration) throws(SQLiteError) {
    let mode =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .unchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite, .alone: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var pointer: OpaquePointer?
    // Only one thread uses the connection at a time, so SQLite's own mutex is not needed.
    let name = access == .unchanging ? FilePath("file:\(path.percentEncoded)?immutable=1") : path
    let code = name.withPlatformString {
      sqlite3_open_v2($0, &pointer, mode | SQLITE_OPEN_NOMUTEX, nil)
    }
    guard code == SQLITE_OK, let pointer else {
      let error = SQLiteError(
        pointer.map { sqlite3_extended_errcode($0) } ?? code, of: pointer, "open")
      sqlite3_close(pointer)
      throw error
    }
    sqlite3_extended_result_codes(pointer, 1)
    sqlite3_busy_timeout(pointer, Int32(clamping: Int64(busyTimeout / .milliseconds(1))))
    self.pointer = pointer
  }

  deinit { sqlite3_close_v2(pointer) }

  consuming func close() throws(SQLiteError) {
    let code = sqlite3_close(pointer)
    if code == SQLITE_OK {
      discard self
    } else {
      let error = SQLiteError(code, of: pointer, "close")
      _ = consume self
      throw error
    }
  }
}
