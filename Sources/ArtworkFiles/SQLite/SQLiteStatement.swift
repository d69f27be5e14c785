internal import CSQLite

/// A prepared statement, which can run many times.
///
/// A class because the connection keeps its statements in a dictionary, which holds only copyable values.
final class SQLiteStatement {
  private let pointer: OpaquePointer

  /// - Parameter sql: one statement.
  init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, of: connection, "prepare") }
    guard let pointer else { preconditionFailure("a statement is empty") }
    self.pointer = pointer
  }

  deinit { sqlite3_finalize(pointer) }

  /// Calls `body` for each row until it returns `false`. The statement can run again afterwards, even after an error.
  ///
  /// - Parameter values: one for each `?`. They are copied.
  func run(_ values: [SQLiteValue], _ body: (borrowing SQLiteRow) throws -> Bool) throws {
    defer {
      sqlite3_reset(pointer)
      sqlite3_clear_bindings(pointer)
    }
    try bind(values)
    while try step() {
      guard try body(SQLiteRow(statement: pointer)) else { return }
    }
  }

  /// Runs it to its end, which ignores rows.
  func run(_ values: [SQLiteValue]) throws(SQLiteError) {
    defer {
      sqlite3_reset(pointer)
      sqlite3_clear_bindings(pointer)
    }
    try bind(values)
    while try step() {}
  }

  private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    precondition(
      values.count == Int(sqlite3_bind_parameter_count(pointer)),
      "a statement needs one value for each ?")
    for (place, value) in zip(Int32(1)..., values) {
      let code =
        switch value {
        case .null: sqlite3_bind_null(pointer, place)
        case .integer(let integer): sqlite3_bind_int64(pointer, place, integer)
        case .text(var text):
          text.withUTF8 {
            artwork_sqlite_bind_text(pointer, place, $0.baseAddress, UInt64($0.count))
          }
        case .blob(let bytes):
          bytes.withUnsafeBytes {
            artwork_sqlite_bind_blob(pointer, place, $0.baseAddress, UInt64($0.count))
          }
        }
      guard code == SQLITE_OK else {
        throw SQLiteError(code, of: sqlite3_db_handle(pointer), "bind")
      }
    }
  }

  /// - Returns: `false` at the end.
  private func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(pointer)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(code, of: sqlite3_db_handle(pointer), "step")
    }
  }
}
