import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

/// Artworks and assets in SQLite. The folders decide about assets and leases: a missing or damaged index is rebuilt from
/// them and from the ``SourceList``.
struct StoreIndex: Sendable {
  private let database: SQLiteDatabase

  /// Opens the index. A damaged one is renamed to `index.sqlite.damaged`.
  ///
  /// - Throws: `no-space` and `failed` for errors that do not depend on the file, such as a full disk; `failed` for an index
  ///   of another ``StoreFormat``.
  static func open(_ path: FilePath) throws(StoreError) -> StoreIndex {
    let isThere = path.exists
    if isThere {
      do {
        return try reusing(.readWrite, path) { try StoreIndex(path, $0, isNew: false) }
      } catch {
        guard error is NotUnderstood || (error as? SQLiteError)?.isDamage == true else {
          throw StoreError(database: error, "open \(path)")
        }
        quarantine(path)
      }
    }
    do {
      // SQLite would create a file that everybody can read; its log gets the mode of the file.
      try DurableFiles.create(path).close()
      return try StoreIndex(path, .readWrite, isNew: true)
    } catch {
      throw StoreError(database: error, "open \(path)")
    }
  }

  /// Renames a damaged index with its log. It replaces an earlier one.
  static func quarantine(_ path: FilePath) {
    for suffix in ["", "-wal", "-shm"] {
      let (file, place) = (path.suffixed(suffix), path.suffixed(".damaged" + suffix))
      DurableFiles.remove(place)
      if (try? DurableFiles.rename(file, to: place)) == nil { DurableFiles.remove(file) }
    }
  }

  /// Opens the index for reading, also while a service writes to it.
  ///
  /// - Throws: `damaged` when it cannot be read.
  static func openToRead(_ path: FilePath) throws(StoreError) -> StoreIndex {
    do {
      return try reusing(.readOnly, path) { access in
        let index = StoreIndex(try SQLiteDatabase(path, access))
        try index.database.withConnection { try Self.checkFormat(&$0, path) }
        return index
      }
    } catch {
      throw StoreError(database: error, "read \(path)")
    }
  }

  /// Opens an index that is there. On a full disk without the file that connections share, it is opened for one process
  /// alone, so that something can be removed; on a read-only one it is read without that file, unless it has a log.
  private static func reusing(
    _ access: SQLiteAccess, _ path: FilePath, _ open: (SQLiteAccess) throws -> StoreIndex
  ) throws -> StoreIndex {
    do {
      return try open(access)
    } catch let error as SQLiteError where error.isFull {
      return try open(.alone)
    } catch let error as SQLiteError
      where access == .readOnly && error.isOfReadOnlyFolder
      && (FileState(of: path.suffixed("-wal"))?.size ?? 0) == 0
    {
      return try open(.unchanging)
    }
  }

  private init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// The index is not finished, or has a row that this version cannot have written.
  struct NotUnderstood: Error {}

  private static func checkFormat(_ connection: inout SQLiteConnection, _ path: FilePath) throws {
    let format = try connection.first("PRAGMA user_version") { row in try row.integer(0) } ?? 0
    if format == 0 { throw NotUnderstood() }
    try StoreFormat.check(Int(clamping: format), of: path.removingLastComponent())
  }

  private init(_ path: FilePath, _ access: SQLiteAccess, isNew: Bool) throws {
    // The process before may still be closing it, and others may read it.
    database = try SQLiteDatabase(path, access, busyTimeout: .seconds(5))
    try database.withConnection { connection in
      // Each commit is one append to the log and one sync, so a published artwork survives a crash.
      try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    try database.transaction { connection in
      if isNew {
        try connection.execute(
          """
          CREATE TABLE artwork (
            artworkID BLOB NOT NULL, key TEXT NOT NULL, source BLOB NOT NULL, digest TEXT,
            PRIMARY KEY (artworkID, key)) WITHOUT ROWID;
          CREATE TABLE asset (
            digest TEXT PRIMARY KEY, file TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER NOT NULL,
            height INTEGER NOT NULL, use INTEGER NOT NULL, inspection BLOB NOT NULL,
            codec TEXT NOT NULL, container TEXT NOT NULL) WITHOUT ROWID;
          PRAGMA user_version = \(StoreFormat.current)
          """)
      } else {
        try Self.checkFormat(&connection, path)
        let check = try connection.first("PRAGMA quick_check(1)") { row in try row.text(0) }
        guard check == "ok" else { throw NotUnderstood() }
      }
    }
  }

  // MARK: Reading

  func artworks() throws -> [ArtworkReference: StoreState.Artwork] {
    try database.withConnection { connection in
      var artworks: [ArtworkReference: StoreState.Artwork] = [:]
      try connection.rows("SELECT artworkID, key, source, digest FROM artwork") { row in
        let text = String(decoding: try row.blob(0), as: UTF8.self)
        guard let artworkID = ArtworkID(text),
          let reference = ArtworkReference(artworkID, part: try row.text(1)),
          let source = StoreFormat.document(ArtworkSource.self, try row.blob(2))
        else { throw NotUnderstood() }
        artworks[reference] = StoreState.Artwork(
          source: source, digest: try row.optionalText(3))
      }
      return artworks
    }
  }

  /// Without the bytes of their previews, which the folders tell.
  func assets() throws -> [String: StoreState.Asset] {
    try database.withConnection { connection in
      var assets: [String: StoreState.Asset] = [:]
      try connection.rows(
        "SELECT digest, file, bytes, width, height, use, codec, container FROM asset"
      ) { row in
        guard let width = Int(exactly: try row.integer(3)),
          let height = Int(exactly: try row.integer(4)), width > 0, height > 0
        else { throw NotUnderstood() }
        assets[try row.text(0)] = StoreState.Asset(
          file: try row.text(1), videoBytes: try row.integer(2), codec: try row.text(6),
          container: try row.text(7), previewSize: PixelSize(width: width, height: height),
          previewBytes: 0, use: UInt64(clamping: try row.integer(5)))
      }
      return assets
    }
  }

  func inspection(_ digest: String) throws -> Inspection? {
    try database.withConnection { connection in
      try connection.first("SELECT inspection FROM asset WHERE digest = ?", [.text(digest)]) {
        row in try row.blob(0)
      }
    }.flatMap { StoreFormat.document(Inspection.self, $0) }
  }

  /// Whether it can be read.
  func check() throws(StoreError) {
    do {
      _ = try database.withConnection { connection in
        try connection.first("SELECT 1 FROM artwork LIMIT 1") { row in try row.integer(0) }
      }
    } catch {
      throw StoreError(database: error, "read the index")
    }
  }

  // MARK: Writing

  enum Change {
    case artwork(ArtworkReference, StoreState.Artwork)
    case noArtwork(ArtworkReference)
    case asset(String, StoreState.Asset, Inspection)
    case noAsset(String)
    case use(String, UInt64)
  }

  /// Makes all changes or none.
  func write(_ changes: [Change]) throws(StoreError) {
    if changes.isEmpty { return }
    do {
      try database.transaction { connection in
        for change in changes { try Self.write(change, &connection) }
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(database: error, "write the index")
    }
  }

  private static func write(_ change: Change, _ connection: inout SQLiteConnection) throws {
    switch change {
    case .artwork(let reference, let artwork):
      try connection.run(
        "INSERT OR REPLACE INTO artwork VALUES (?, ?, ?, ?)",
        [
          .blob(Array(reference.artworkID.text.utf8)), .text(reference.part),
          .blob(try StoreFormat.bytes(artwork.source)), .text(orNull: artwork.digest),
        ])
    case .noArtwork(let reference):
      try connection.run(
        "DELETE FROM artwork WHERE artworkID = ? AND key = ?",
        [.blob(Array(reference.artworkID.text.utf8)), .text(reference.part)])
    case .asset(let digest, let asset, let inspection):
      try connection.run(
        "INSERT OR REPLACE INTO asset VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .text(digest), .text(asset.file), .integer(asset.videoBytes),
          .integer(Int64(asset.previewSize.width)), .integer(Int64(asset.previewSize.height)),
          .integer(Int64(clamping: asset.use)), .blob(try StoreFormat.bytes(inspection)),
          .text(asset.codec), .text(asset.container),
        ])
    case .noAsset(let digest):
      try connection.run("DELETE FROM asset WHERE digest = ?", [.text(digest)])
    case .use(let digest, let use):
      try connection.run(
        "UPDATE asset SET use = ? WHERE digest = ?",
        [.integer(Int64(clamping: use)), .text(digest)])
    }
  }
}
