@Suite("A SQLite database") struct SQLiteDatabaseTests {
  private struct Change: Error {}

  let folder: TemporaryFolder
  let path: FilePath

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite")
  }

  private func open(_ access: SQLiteAccess = .readWrite, busyTimeout: Duration = .zero) throws -> SQLiteDatabase {
    try SQLiteDatabase(path, access, busyTimeout: busyTimeout)
  }

  /// With one table and so many rows of a kilobyte.
  private func filled(_ count: Int = 0) throws -> SQLiteDatabase {
    let database = try open()
    try database.transaction { connection in
      try connection.execute("CREATE TABLE t (v BLOB NOT NULL)")
      for _ in 0..<count { try connection.run("INSERT INTO t VALUES (?)", [.blob([UInt8](repeating: 1, count: 1000))]) }
    }
    return database
  }

  private func count(_ database: SQLiteDatabase) throws -> Int64? {
    try database.withConnection { connection in try connection.first("SELECT count(*) FROM t") { try $0.integer(0) } }
  }

  // MARK: Transactions

  @Test func `keeps everything that a transaction did, or nothing when it throws`() throws {
    let database = try filled(2)
    #expect(throws: Change.self) {
      try database.transaction { connection in
        try connection.run("DELETE FROM t")
        throw Change()
      }
    }
    #expect(try count(database) == 2)
    // The same when it is SQLite that fails.
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction { connection in
        try connection.run("DELETE FROM t")
        try connection.run("INSERT INTO t VALUES (?)", [.null])
      }
    }
    #expect(error?.message == "NOT NULL constraint failed: t.v")
    #expect(try count(database) == 2)
    try database.transaction { try $0.run("DELETE FROM t WHERE rowid = 1") }
    #expect(try count(open()) == 1)
  }

  @Test func `throws when SQLite rolled the transaction back and its body went on`() throws {
    let database = try filled(1)
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction { connection in
        try connection.run("DELETE FROM t")
        try? connection.run("INSERT OR ROLLBACK INTO t VALUES (?)", [.null])
      }
    }
    #expect(error?.message == "the transaction was rolled back")
    #expect(error?.isDamage == false)
    #expect(try count(database) == 1)
  }

  @Test func `distinguishes a full disk from damage, keeps nothing of that transaction, and goes on`() throws {
    let database = try filled(1)
    try database.withConnection { try $0.execute("PRAGMA max_page_count = 20") }
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction { connection in
        for _ in 0..<200 { try connection.run("INSERT INTO t VALUES (?)", [.blob([UInt8](repeating: 1, count: 1000))]) }
      }
    }
    #expect(error?.isFull == true && error?.isDamage == false)
    #expect(error?.message == "database or disk is full")
    #expect(try count(database) == 1)
    try database.transaction { try $0.run("INSERT INTO t VALUES (?)", [.blob([1])]) }
    #expect(try count(database) == 2)
  }

  // MARK: Several connections and threads

  @Test func `a second writer waits as long as its timeout, and then fails as busy`() throws {
    let holder = try filled()
    let patient = try open(busyTimeout: .milliseconds(200))
    let hasty = try open()
    try holder.transaction { connection in
      try connection.run("DELETE FROM t")
      for (other, wait) in [(hasty, Duration.zero), (patient, .milliseconds(200))] {
        let start = ContinuousClock.now
        let error = #expect(throws: SQLiteError.self) { try other.transaction { try $0.run("DELETE FROM t") } }
        #expect(error?.message == "database is locked")
        #expect(error?.isDamage == false && error?.isFull == false)
        #expect(ContinuousClock.now - start >= wait)
      }
    }
    try hasty.transaction { try $0.run("DELETE FROM t") }
  }

  @Test func `a second writer goes on when the first one is done`() throws {
    let holder = try filled()
    let patient = try open(busyTimeout: .seconds(30))
    let hasBegun = DispatchSemaphore(value: 0)
    let thread = Thread {
      try? holder.transaction { connection in
        try connection.run("INSERT INTO t VALUES (?)", [.blob([1])])
        hasBegun.signal()
        usleep(100_000)
      }
    }
    thread.start()
    hasBegun.wait()
    let before = try patient.transaction { connection in
      let before = try connection.first("SELECT count(*) FROM t") { try $0.integer(0) }
      try connection.run("INSERT INTO t VALUES (?)", [.blob([2])])
      return before
    }
    #expect(before == 1)
    #expect(try count(patient) == 2)
  }

  @Test func `threads take turns with one connection`() throws {
    let database = try filled()
    try database.withConnection { connection in
      try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE n (v INTEGER)")
      try connection.run("INSERT INTO n VALUES (0)")
    }
    DispatchQueue.concurrentPerform(iterations: 400) { _ in
      #expect(throws: Never.self) {
        try database.transaction { connection in
          let number = try connection.first("SELECT v FROM n") { try $0.integer(0) } ?? -1
          try connection.run("UPDATE n SET v = ?", [.integer(number + 1)])
        }
      }
    }
    let number = try database.withConnection { connection in try connection.first("SELECT v FROM n") { try $0.integer(0) } }
    #expect(number == 400)
  }

  @Test func `a reader sees what is committed meanwhile, and cannot write`() throws {
    let writer = try filled(1)
    try writer.withConnection { try $0.execute("PRAGMA journal_mode = WAL") }
    let reader = try open(.readOnly)
    #expect(try count(reader) == 1)
    try writer.transaction { connection in
      try connection.run("DELETE FROM t")
      #expect(try count(reader) == 1)
    }
    #expect(try count(reader) == 0)
    let error = #expect(throws: SQLiteError.self) { try reader.withConnection { try $0.run("DELETE FROM t") } }
    #expect(error?.message == "attempt to write a readonly database")
    #expect(error?.isDamage == false)
  }

  @Test func `a file that nobody writes to is read without the file that readers share`() throws {
    let writer = try filled(1)
    try writer.withConnection { try $0.execute("PRAGMA journal_mode = WAL") }
    try writer.close()
    let names = { try FileManager.default.contentsOfDirectory(atPath: folder.root.path).sorted() }
    let before = try names()
    #expect(try count(open(.unchanging)) == 1)
    #expect(try names() == before)
  }

  // MARK: Files

  @Test func `does not make a file to read it, nor one where no file can be`() throws {
    for (path, access) in [
      (path, SQLiteAccess.readOnly), (folder.path("no/a.sqlite"), .readWrite), (folder.path("."), .readWrite),
    ] {
      let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path, access) }
      #expect(error?.message == "unable to open database file" && error?.operation == "open")
      #expect(error?.isDamage == false)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test func `a file that is not a database is damage, found when it is opened`() throws {
    try Data(repeating: 0x41, count: 10_000).write(to: folder.url("a.sqlite"))
    for access in [SQLiteAccess.readOnly, .readWrite] {
      let error = #expect(throws: SQLiteError.self) { try open(access) }
      #expect(error?.message == "file is not a database" && error?.isDamage == true)
    }
    // SQLite fills it.
    try Data().write(to: folder.url("a.sqlite"))
    #expect(throws: Never.self) { try filled() }
  }

  @Test(arguments: ["page", "truncated"])
  func `a file that is not whole is damage`(how: String) throws {
    try filled(100).close()
    var bytes = try Data(contentsOf: folder.url("a.sqlite"))
    #expect(bytes.count > 100_000)
    if how == "page" {
      // The second page is the table's root.
      for place in 4096..<8192 { bytes[place] = 0xff }
    } else {
      bytes = bytes.prefix(50_000)
    }
    try bytes.write(to: folder.url("a.sqlite"))
    let error = #expect(throws: SQLiteError.self) { try count(open()) }
    #expect(error?.message == "database disk image is malformed")
    #expect(error?.isDamage == true && error?.isFull == false)
  }

  @Test func `a folder's name need not be text`() throws {
    var name = Array(folder.root.path.utf8CString.dropLast())
    name += [CChar(bitPattern: UInt8(ascii: "/")), CChar(bitPattern: 0xff), 0]
    let odd = FilePath(platformString: name)
    unsafe #expect(odd.withPlatformString { mkdir($0, 0o700) } == 0)
    let database = try SQLiteDatabase(odd.appending("a.sqlite"), .readWrite)
    try database.withConnection { try $0.execute("CREATE TABLE t (v)") }
    unsafe #expect(odd.appending("a.sqlite").withPlatformString { access($0, F_OK) } == 0)
  }
}
