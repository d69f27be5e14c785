internal import CSQLite

/// A call of SQLite that failed.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  /// SQLite's own message.
  package let message: String
  /// The operation that failed, such as `open`.
  package let operation: String

  /// An error with the message of the connection's last call.
  ///
  /// - Parameter connection: `nil` if there was no memory for one.
  package init(_ code: Int32, of connection: OpaquePointer?, _ operation: String) {
    let message = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.init(code, message.map { String(cString: $0) } ?? "unknown", operation)
  }

  package init(_ code: Int32, _ message: String, _ operation: String) {
    (self.code, self.message, self.operation) = (code, message, operation)
  }

  /// Whether the file is damaged: not a database, incomplete, without an expected table (`SQLITE_ERROR`), or with a
  /// value of another type than was written (`SQLITE_MISMATCH`).
  package var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH].contains(code & 0xff)
  }

  /// Whether the disk, or the database, is full.
  package var isFull: Bool { code & 0xff == SQLITE_FULL || code == Self.noSharedMemory }

  /// Whether a file cannot be made beside the database that its readers share.
  package var isOfReadOnlyFolder: Bool { [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xff) }

  /// `SQLITE_IOERR_SHMSIZE`: the disk has no room for the file that the connections of a database share.
  private static let noSharedMemory = SQLITE_IOERR | 19 << 8
}

extension SQLiteError: CustomStringConvertible {
  package var description: String { "SQLite error \(code) (\(operation)): \(message)" }
}
