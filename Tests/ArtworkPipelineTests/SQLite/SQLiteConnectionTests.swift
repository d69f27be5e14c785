@Suite("A SQLite connection") struct SQLiteConnectionTests {
  let folder: TemporaryFolder
  let database: SQLiteDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(folder.path("a.sqlite"), .readWrite)
    try database.withConnection { try $0.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)") }
  }

  @Test func `gives back what was bound, with its type`() throws {
    let values: [SQLiteValue] = [
      .null, .integer(0), .integer(.min), .integer(.max), .text(""), .text("a\u{0}b"), .text("é\u{301} 𝄞"),
      .text(String(repeating: "long ", count: 100_000)), .blob([]), .blob([0, 0xff, 0]),
      .blob([UInt8](repeating: 7, count: 3_000_000)),
    ]
    for (index, value) in values.enumerated() {
      let read = try database.withConnection { connection in
        try connection.run("INSERT OR REPLACE INTO t VALUES (1, ?)", [value])
        return try connection.first("SELECT v FROM t") { row in
          let read: [SQLiteValue?] = [
            row.isNull(0) ? .null : nil, (try? row.integer(0)).map { .integer($0) }, (try? row.text(0)).map { .text($0) },
            (try? row.blob(0)).map { .blob($0) },
          ]
          return read.compactMap { $0 }
        }
      }
      // Only the reader of its own type accepts it.
      let isSame = read == [value]
      #expect(isSame, "value \(index)")
    }
  }

  @Test func `converts nothing: a value of another type is damage`() throws {
    func error<T>(_ body: () throws(SQLiteError) -> T) -> SQLiteError? {
      do {
        _ = try body()
        return nil
      } catch { return error }
    }
    let errors = try database.withConnection { connection in
      try connection.first("SELECT 'text', NULL, 1.5, CAST(x'ff' AS TEXT)") { row in
        let texts = [try row.optionalText(0), try row.optionalText(1)]
        #expect(texts == ["text", nil])
        return [
          error { () throws(SQLiteError) in try row.integer(0) }, error { () throws(SQLiteError) in try row.blob(1) },
          error { () throws(SQLiteError) in try row.integer(2) }, error { () throws(SQLiteError) in try row.optionalText(3) },
        ]
      }
    }
    #expect(
      errors?.map(\.?.message) == [
        "column 0 holds text instead of an integer", "column 1 holds null instead of a blob",
        "column 2 holds a real instead of an integer", "column 3 holds text that is not UTF-8",
      ])
    #expect(errors?.allSatisfy { $0?.isDamage == true } == true)
  }

  @Test func `runs a statement again with other values, which do not stay`() throws {
    try database.withConnection { connection in
      for number in Int64(1)...3 { try connection.run("INSERT INTO t VALUES (?, ?)", [.integer(number), .text("\(number)")]) }
      let select = "SELECT v FROM t WHERE k = ?"
      let found = try [1, 3, 9, 2].map { key in try connection.first(select, [.integer(key)]) { try $0.text(0) } }
      #expect(found == ["1", "3", nil, "2"])
      // A schema that changed.
      try connection.execute("ALTER TABLE t ADD COLUMN w; UPDATE t SET v = 'new'")
      #expect(try connection.first(select, [.integer(3)]) { try $0.text(0) } == "new")
    }
  }

  @Test("reads every row in order, and stops when the reader throws")
  func rows() throws {
    struct Enough: Error {}
    try database.withConnection { connection in
      for number in Int64(1)...5 { try connection.run("INSERT INTO t VALUES (?, 0)", [.integer(number)]) }
      let all = "SELECT k FROM t ORDER BY k"
      var seen: [Int64] = []
      #expect(throws: Enough.self) {
        try connection.rows(all) { row in
          seen.append(try row.integer(0))
          if seen.count == 2 { throw Enough() }
        }
      }
      #expect(seen == [1, 2])
      seen = []
      try connection.rows(all) { row in seen.append(try row.integer(0)) }
      #expect(seen == [1, 2, 3, 4, 5])
      #expect(try connection.first("SELECT k FROM t WHERE k > 5") { try $0.integer(0) } == nil)
    }
  }

  @Test func `a statement that stopped half-way holds no lock`() throws {
    let other = try SQLiteDatabase(folder.path("a.sqlite"), .readWrite)
    try database.withConnection { connection in
      try connection.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
      _ = try connection.first("SELECT k FROM t") { try $0.integer(0) }
    }
    // Without a write-ahead log, a reader keeps writers out.
    #expect(throws: Never.self) { try other.transaction { try $0.run("DELETE FROM t") } }
  }

  @Test func `reports SQLite's message, and what was tried`() throws {
    try database.withConnection { connection in
      let syntax = #expect(throws: SQLiteError.self) { try connection.run("SELEC 1") }
      #expect(syntax?.description == "SQLite error 1 (prepare): near \"SELEC\": syntax error")
      try connection.run("INSERT INTO t VALUES (1, 0)")
      let double = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (?, 0)", [.integer(1)]) }
      // SQLITE_CONSTRAINT_PRIMARYKEY, an extended code.
      #expect(double?.code == 1555 && double?.isDamage == false)
      #expect(double?.description == "SQLite error 1555 (step): UNIQUE constraint failed: t.k")
      let script = #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM t; DELETE FROM missing") }
      #expect(script?.message == "no such table: missing")
      #expect(script?.isDamage == true, "a table that is missing")
      #expect(try connection.first("SELECT count(*) FROM t") { try $0.integer(0) } == 0)
    }
  }

  @Test("closes at once although statements were kept, and answers no more")
  func close() throws {
    try database.withConnection { connection in
      try connection.execute("PRAGMA journal_mode = WAL")
      try connection.run("INSERT INTO t VALUES (1, 0)")
      _ = try connection.first("SELECT k FROM t") { try $0.integer(0) }
    }
    let log = folder.url("a.sqlite-wal").path
    #expect(FileManager.default.fileExists(atPath: log))
    try database.close()
    #expect(!FileManager.default.fileExists(atPath: log), "the last connection removes it")
    try database.close()
    let error = #expect(throws: SQLiteError.self) { try database.transaction { try $0.run("DELETE FROM t") } }
    #expect(error?.message == "the database is closed" && error?.isDamage == false)
  }

  @Test func `closes with its last owner`() throws {
    let log = folder.url("b.sqlite-wal").path
    do {
      let database = try SQLiteDatabase(folder.path("b.sqlite"), .readWrite)
      try database.withConnection { connection in
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v)")
        try connection.run("INSERT INTO t VALUES (?)", [.integer(1)])
      }
      #expect(FileManager.default.fileExists(atPath: log))
    }
    #expect(!FileManager.default.fileExists(atPath: log))
  }
}
