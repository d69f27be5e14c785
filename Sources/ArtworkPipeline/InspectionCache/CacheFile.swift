import Glibc

/// The database's file.
struct CacheFile: Sendable {
  let path: FilePath
  /// Inode of the opened file. Another file may have this path by now.
  private let inode: UInt64

  /// Identifies the columns of the table. A database with another number is not used or changed.
  private static let schemaVersion = 1

  /// Creates the file if it does not exist. Only the owner may read it: it contains paths.
  private init(_ path: FilePath) throws {
    self.path = path
    try AtomicFile.makeFolder(path.removingLastComponent())
    do {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite
      ).close()
    } catch Errno.fileExists {}
    guard let stamp = FileStamp(of: path, beneath: nil) else { throw Errno.permissionDenied }
    inode = stamp.state.inode
  }

  /// Opens the database. Replaces the file if it is damaged.
  ///
  /// - Throws: ``Failure`` and errors of SQLite and the system.
  static func open(
    _ path: FilePath, onDamage: (any Error) -> Void
  ) throws -> (CacheFile, SQLiteDatabase) {
    let file = try CacheFile(path)
    do {
      return (file, try file.openDatabase())
    } catch let error as SQLiteError where error.isDamage {
      onDamage(error)
      file.quarantine()
      let file = try CacheFile(path)
      return (file, try file.openDatabase())
    }
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private func openDatabase() throws -> SQLiteDatabase {
    // Other processes hold the lock for milliseconds.
    let database = try SQLiteDatabase(path, .readWrite, busyTimeout: .seconds(5))
    let needsTable = try database.withConnection { connection in
      // A power failure may damage the file. The next run notices that and starts a new one.
      try connection.execute("PRAGMA synchronous = OFF")
      // Readers and the writer do not wait for each other.
      let mode = try connection.first("PRAGMA journal_mode = WAL") { row in try row.text(0) }
      guard mode == "wal" else {
        throw Failure(description: "its file system does not allow a write-ahead log")
      }
      return try Self.isNew(&connection)
    }
    guard needsTable else { return database }
    try database.transaction { connection in
      // Another process may have created it by now.
      guard try Self.isNew(&connection) else { return }
      // The large column comes last, so that sorting by the others reads little.
      try connection.execute(
        """
        CREATE TABLE inspections (
          path BLOB NOT NULL, request TEXT NOT NULL, condition TEXT NOT NULL,
          used INTEGER NOT NULL, checksum BLOB NOT NULL, outcome BLOB NOT NULL,
          PRIMARY KEY (path, request));
        PRAGMA user_version = \(Self.schemaVersion)
        """)
    }
    return database
  }

  /// Whether the table does not exist yet.
  private static func isNew(_ connection: inout SQLiteConnection) throws -> Bool {
    let version = try connection.first("PRAGMA user_version") { row in try row.integer(0) } ?? 0
    if version == schemaVersion { return false }
    if version == 0 { return true }
    throw Failure(description: "another version of artworkd wrote it")
  }

  /// Renames the file to `inspections.sqlite.damaged`, unless another process has done so.
  func quarantine() {
    guard FileState(of: path)?.inode == inode else { return }
    _ = unsafe path.withPlatformString { old in
      unsafe path.suffixed(".damaged").withPlatformString { unsafe rename(old, $0) }
    }
    for suffix in ["-wal", "-shm"] {
      _ = unsafe path.suffixed(suffix).withPlatformString { unsafe unlink($0) }
    }
  }
}
