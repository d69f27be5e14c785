internal import GRDB

extension Error {
  /// Whether SQLite says that the file is no database, or not a whole one. The last one: a table is not there.
  var isDatabaseDamage: Bool {
    let code = (self as? DatabaseError)?.resultCode
    return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB || code == .SQLITE_ERROR
  }
}
