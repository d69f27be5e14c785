import Synchronization

/// A connection to a SQLite database that threads share: one uses it, the others wait, and so do their threads.
///
/// The connection closes with the last reference to this object.
package final class SQLiteDatabase: Sendable {
  private let connection: Mutex<SQLiteConnection>

  /// Opens the database, and reads its schema.
  ///
  /// - Parameter busyTimeout: how long a statement waits for a lock that another connection holds.
  package init(
    _ path: FilePath, _ access: SQLiteAccess, busyTimeout: Duration = .zero
  ) throws(SQLiteError) {
    connection = Mutex(try SQLiteConnection(path, access, busyTimeout: busyTimeout))
  }

  /// Lends the connection to `body`, which must not call this object.
  ///
  /// - Throws: ``SQLiteError``, and the errors of `body`.
  package func withConnection<R: Sendable>(
    _ body: (inout sending SQLiteConnection) throws -> R
  ) throws -> R {
    try connection.withLock { connection in try body(&connection) }
  }

  /// Like ``withConnection(_:)``, in a transaction. If `body` throws, nothing that it wrote is kept.
  package func transaction<R: Sendable>(
    _ body: (inout sending SQLiteConnection) throws -> R
  ) throws -> R {
    try connection.withLock { connection in
      try connection.begin()
      do {
        let result = try body(&connection)
        try connection.commit()
        return result
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  /// Closes the connection: calls throw `SQLITE_MISUSE` afterwards. Does nothing if it is already closed.
  package func close() throws(SQLiteError) {
    try connection.withLock { connection throws(SQLiteError) in try connection.close() }
  }
}
