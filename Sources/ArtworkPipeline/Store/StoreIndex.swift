internal import GRDB
internal import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Artworks and assets in SQLite. The folders are the truth about assets and leases: an index that is lost or damaged
/// is made again from them, and then only artworks whose bytes were evicted are forgotten.
struct StoreIndex: Sendable {
  private let database: DatabaseQueue

  /// The version of the tables.
  private static let schema = 1

  /// Opens it. One that is damaged, or of another version, is set aside as `index.sqlite.damaged`.
  ///
  /// - Throws: `no-space` and `failed` for what says nothing about the file: a full disk, a busy neighbour.
  static func open(_ path: FilePath) throws(StoreError) -> StoreIndex {
    let isThere = path.exists
    if isThere {
      do {
        return try StoreIndex(path, isNew: false)
      } catch {
        guard error is NotUnderstood || error.isDatabaseDamage else {
          throw StoreError(database: error, "open \(path)")
        }
        setAside(path)
      }
    }
    do {
      // SQLite would make it for everybody to read; its log has the mode of the file.
      try DurableFiles.create(path).close()
      return try StoreIndex(path, isNew: true)
    } catch {
      throw StoreError(database: error, "open \(path)")
    }
  }

  /// Moves a damaged one out of the way, with its log; it is kept until the next.
  static func setAside(_ path: FilePath) {
    for suffix in ["", "-wal", "-shm"] {
      let (file, place) = (path.suffixed(suffix), path.suffixed(".damaged" + suffix))
      DurableFiles.remove(place)
      if (try? DurableFiles.rename(file, to: place)) == nil { DurableFiles.remove(file) }
    }
  }

  /// Opens it to look at it, whoever writes to it meanwhile.
  ///
  /// - Throws: `damaged` for none that can be read.
  static func openToRead(_ path: FilePath) throws(StoreError) -> StoreIndex {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    do {
      return StoreIndex(try DatabaseQueue(path: path.string, configuration: configuration))
    } catch {
      throw StoreError(database: error, "read \(path)")
    }
  }

  private init(_ database: DatabaseQueue) {
    self.database = database
  }

  /// Another version, or a row that this one cannot have written.
  struct NotUnderstood: Error {}

  private init(_ path: FilePath, isNew: Bool) throws {
    var configuration = GRDB.Configuration()
    configuration.label = "artworkd.store"
    // Whoever had it before may still be closing it, and somebody may be looking.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // Each commit is one append to the log, and one sync: a published artwork is not forgotten.
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    database = try DatabaseQueue(path: path.string, configuration: configuration)
    try database.write { database in
      if isNew {
        try database.execute(
          sql: """
            CREATE TABLE artwork (
              artworkID BLOB NOT NULL, key TEXT NOT NULL, source BLOB NOT NULL, digest TEXT,
              PRIMARY KEY (artworkID, key)) WITHOUT ROWID;
            CREATE TABLE asset (
              digest TEXT PRIMARY KEY, file TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER NOT NULL,
              height INTEGER NOT NULL, use INTEGER NOT NULL, inspection BLOB NOT NULL) WITHOUT ROWID;
            PRAGMA user_version = \(Self.schema)
            """)
      } else {
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") == Self.schema,
          try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok"
        else { throw NotUnderstood() }
      }
    }
  }

  // MARK: Reading

  func artworks() throws -> [ArtworkReference: StoreState.Artwork] {
    try database.read { database in
      var artworks: [ArtworkReference: StoreState.Artwork] = [:]
      let rows = try Row.fetchCursor(
        database, sql: "SELECT artworkID, key, source, digest FROM artwork")
      while let row = try rows.next() {
        let text = String(decoding: row[0] as Data, as: UTF8.self)
        guard let artworkID = ArtworkID(text), let key = ArtworkKey(rawValue: row[1]),
          let source = StoreFormat.document(ArtworkSource.self, Array(row[2] as Data))
        else { throw NotUnderstood() }
        artworks[ArtworkReference(artworkID, key)] = StoreState.Artwork(
          source: source, digest: row[3])
      }
      return artworks
    }
  }

  /// Without their previews, which the folders tell.
  func assets() throws -> [String: StoreState.Asset] {
    try database.read { database in
      var assets: [String: StoreState.Asset] = [:]
      let rows = try Row.fetchCursor(
        database, sql: "SELECT digest, file, bytes, width, height, use FROM asset")
      while let row = try rows.next() {
        guard let width: Int = row[3], let height: Int = row[4], width > 0, height > 0 else {
          throw NotUnderstood()
        }
        assets[row[0]] = StoreState.Asset(
          file: row[1], videoBytes: row[2], previewSize: PixelSize(width: width, height: height),
          previews: [:], use: UInt64(clamping: row[5] as Int64))
      }
      return assets
    }
  }

  func inspection(_ digest: String) throws -> Inspection? {
    try database.read { database in
      try Data.fetchOne(
        database, sql: "SELECT inspection FROM asset WHERE digest = ?", arguments: [digest])
    }.flatMap { StoreFormat.document(Inspection.self, Array($0)) }
  }

  // MARK: Writing

  enum Change {
    case artwork(ArtworkReference, StoreState.Artwork)
    case noArtwork(ArtworkReference)
    case asset(String, StoreState.Asset, Inspection)
    case noAsset(String)
    case use(String, UInt64)
  }

  /// All of them or none.
  func write(_ changes: [Change]) throws(StoreError) {
    if changes.isEmpty { return }
    do {
      try database.write { database in
        for change in changes { try Self.write(change, database) }
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(database: error, "write the index")
    }
  }

  private static func write(_ change: Change, _ database: Database) throws {
    switch change {
    case .artwork(let reference, let artwork):
      try database.execute(
        sql: "INSERT OR REPLACE INTO artwork VALUES (?, ?, ?, ?)",
        arguments: [
          Data(reference.artworkID.text.utf8), reference.key.rawValue,
          Data(try StoreFormat.bytes(artwork.source)), artwork.digest,
        ])
    case .noArtwork(let reference):
      try database.execute(
        sql: "DELETE FROM artwork WHERE artworkID = ? AND key = ?",
        arguments: [Data(reference.artworkID.text.utf8), reference.key.rawValue])
    case .asset(let digest, let asset, let inspection):
      try database.execute(
        sql: "INSERT OR REPLACE INTO asset VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          digest, asset.file, asset.videoBytes, asset.previewSize.width, asset.previewSize.height,
          Int64(clamping: asset.use), Data(try StoreFormat.bytes(inspection)),
        ])
    case .noAsset(let digest):
      try database.execute(sql: "DELETE FROM asset WHERE digest = ?", arguments: [digest])
    case .use(let digest, let use):
      try database.execute(
        sql: "UPDATE asset SET use = ? WHERE digest = ?", arguments: [Int64(clamping: use), digest])
    }
  }
}

extension StoreError {
  /// SQLite's result codes (sqlite.org/rescode.html): a full disk and a damaged file have answers of their own.
  init(database error: any Error, _ operation: String) {
    if error is StoreIndex.NotUnderstood {
      self.init(.damaged, "cannot \(operation): it has rows that cannot be understood")
    } else if error.isDatabaseDamage {
      self.init(.damaged, "cannot \(operation): \(error)")
    } else if (error as? DatabaseError)?.resultCode == .SQLITE_FULL {
      self.init(.noSpace, "no space to \(operation)")
    } else {
      self.init(.failed, "cannot \(operation): \(error)")
    }
  }

  init(_ error: Errno, _ operation: String) {
    switch error {
    case .noSpace, .diskQuotaExceeded, .fileTooLarge:
      // Spelled out: Errno has a `noSpace` as well.
      self.init(Code.noSpace, "no space to \(operation)")
    default: self.init(Code.failed, "cannot \(operation): \(error.description.lowercased())")
    }
  }
}
