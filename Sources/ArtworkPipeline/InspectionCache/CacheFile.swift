internal import GRDB
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes as SQLite takes and gives them.
typealias Blob = Data

extension [UInt8] {
  var asBlob: Blob { Blob(self) }
}

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
  ) throws -> (CacheFile, DatabaseQueue) {
    let file = try CacheFile(path)
    do {
      return (file, try file.openDatabase())
    } catch  where error.isDatabaseDamage {
      onDamage(error)
      file.setAside()
      let file = try CacheFile(path)
      return (file, try file.openDatabase())
    }
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private func openDatabase() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.label = "artworkd.inspections"
    // Readers and the one that writes do not wait for each other.
    configuration.journalMode = .wal
    // Another process writes for milliseconds.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // A power failure may damage it. That is noticed, and it is made again.
      try database.execute(sql: "PRAGMA synchronous = OFF")
    }
    let queue = try DatabaseQueue(path: path.string, configuration: configuration)
    func isNew(_ database: Database) throws -> Bool {
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      if version == Self.schemaVersion { return false }
      if version == 0 { return true }
      throw Failure(description: "another version of artworkd wrote it")
    }
    guard try queue.read(isNew) else { return queue }
    try queue.write { database in
      // Another process may have been quicker.
      guard try isNew(database) else { return }
      // The large column last: what sorts by the others then reads little.
      try database.execute(
        sql: """
          CREATE TABLE inspections (
            path BLOB NOT NULL, request TEXT NOT NULL, condition TEXT NOT NULL,
            used INTEGER NOT NULL, checksum BLOB NOT NULL, outcome BLOB NOT NULL,
            PRIMARY KEY (path, request));
          PRAGMA user_version = \(Self.schemaVersion)
          """)
    }
    return queue
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
