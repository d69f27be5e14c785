import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The database's file.
struct CacheFile: Sendable {
  let path: FilePath
  /// The file that was opened, which may not be the one that has this path now.
  private let inode: UInt64

  /// The table's columns; what another version wrote is not touched.
  private static let schemaVersion = 1

  /// Makes an empty file where there is none, for the owner alone: it names paths.
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

  /// Opens the database, with a new file where the one that is there is damaged.
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
      file.setAside()
      let file = try CacheFile(path)
      return (file, try file.openDatabase())
    }
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private func openDatabase() throws -> SQLiteDatabase {
    // Another process writes for milliseconds.
    let database = try SQLiteDatabase(path, .readWrite, busyTimeout: .seconds(5))
    let needsTable = try database.withConnection { connection in
      // A power failure may damage it. That is noticed, and it is made again.
      try connection.execute("PRAGMA synchronous = OFF")
      // Readers and the one that writes do not wait for each other.
      let mode = try connection.first("PRAGMA journal_mode = WAL") { row in try row.text(0) }
      guard mode == "wal" else { throw Failure(description: "it cannot have a write-ahead log") }
      return try Self.isNew(&connection)
    }
    guard needsTable else { return database }
    try database.transaction { connection in
      // Another process may have been quicker.
      guard try Self.isNew(&connection) else { return }
      // The large column last: what sorts by the others then reads little.
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

  /// Whether it has no table yet.
  private static func isNew(_ connection: inout SQLiteConnection) throws -> Bool {
    let version = try connection.first("PRAGMA user_version") { row in try row.integer(0) } ?? 0
    if version == schemaVersion { return false }
    if version == 0 { return true }
    throw Failure(description: "another version of artworkd wrote it")
  }

  /// Renames it to `inspections.sqlite.damaged`, unless another process has done so.
  func setAside() {
    guard FileState(of: path)?.inode == inode else { return }
    _ = path.withPlatformString { old in
      path.suffixed(".damaged").withPlatformString { rename(old, $0) }
    }
    for suffix in ["-wal", "-shm"] {
      _ = path.suffixed(suffix).withPlatformString { unlink($0) }
    }
  }
}
