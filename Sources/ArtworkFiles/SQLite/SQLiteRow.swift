internal import CSQLite

/// The current row of a statement. Columns count from zero.
///
/// Reading a column throws `SQLITE_MISMATCH` for a value of another type: nothing is converted.
package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  package init(statement: OpaquePointer) { self.statement = statement }

  package func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
    try check(column, SQLITE_INTEGER)
    return sqlite3_column_int64(statement, Int32(column))
  }

  /// - Throws: `SQLITE_MISMATCH` also for text that is not UTF-8.
  package func text(_ column: Int) throws(SQLiteError) -> String {
    try check(column, SQLITE_TEXT)
    // The pointer first: this call may convert the text, which changes its length.
    let start = sqlite3_column_text(statement, Int32(column))
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    guard let start else { throw noMemory }
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw mismatch(column, "text that is not UTF-8")
    }
    return text
  }

  /// `nil` for null.
  package func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    isNull(column) ? nil : try text(column)
  }

  package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
    try check(column, SQLITE_BLOB)
    let start = sqlite3_column_blob(statement, Int32(column))
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    // An empty blob has no address.
    guard start != nil || count == 0 else { throw noMemory }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

  private func check(_ column: Int, _ wanted: Int32) throws(SQLiteError) {
    let type = type(column)
    guard type == wanted else {
      throw mismatch(column, "\(Self.name(type)) instead of \(Self.name(wanted))")
    }
  }

  private func mismatch(_ column: Int, _ what: String) -> SQLiteError {
    SQLiteError(SQLITE_MISMATCH, "column \(column) holds \(what)", "read")
  }

  private var noMemory: SQLiteError { SQLiteError(SQLITE_NOMEM, of: nil, "read") }

  private static func name(_ type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "an integer"
    case SQLITE_FLOAT: "a real"
    case SQLITE_TEXT: "text"
    case SQLITE_BLOB: "a blob"
    default: "null"
    }
  }
}
