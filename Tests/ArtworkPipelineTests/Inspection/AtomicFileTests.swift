import Glibc

@Suite struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.root.path).sorted()
  }

  @Test func `a file moves only to a name that nothing has, be it a link that leads nowhere`() throws {
    try Data([1]).write(to: folder.url("source"))
    try Data([2]).write(to: folder.url("taken"))
    try folder.link("link", to: "nowhere")
    for name in ["taken", "link"] {
      #expect(throws: Errno.fileExists) { try DurableFiles.moveToNew(folder.path("source"), folder.path(name)) }
    }
    #expect(try Data(contentsOf: folder.url("taken")) == Data([2]))
    try DurableFiles.moveToNew(folder.path("source"), folder.path("new"))
    #expect(try Data(contentsOf: folder.url("new")) == Data([1]))
    #expect(!FileManager.default.fileExists(atPath: folder.url("source").path))
  }

  @Test(arguments: [0, 1, 3_000_000])
  func `a file is written whole, or replaced whole, and nothing else is left`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try AtomicFile.write(bytes, to: folder.path("out.png"))
    #expect(try Data(contentsOf: folder.url("out.png")) == Data(bytes))
    try AtomicFile.write([1, 2, 3], to: folder.path("out.png"))
    #expect(try Data(contentsOf: folder.url("out.png")) == Data([1, 2, 3]))
    #expect(try Self.names(in: folder) == ["out.png"])
  }

  @Test(arguments: [0o600, 0o664])
  func `who may read the old file may read the new one, and nobody else`(mode: Int) throws {
    let path = folder.path("report.json")
    try AtomicFile.write([1], to: path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
    try AtomicFile.write([2], to: path)
    #expect(try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int == mode)
  }

  @Test func `a place for a file is known before it is written`() throws {
    try AtomicFile.requirePlace(for: folder.path("new"))
    try AtomicFile.requirePlace(for: "/dev/null")
    try AtomicFile.requirePlace(for: "new")
    #expect(throws: Errno.noSuchFileOrDirectory) { try AtomicFile.requirePlace(for: folder.path("no/new")) }
    try AtomicFile.write([1], to: folder.path("file"))
    #expect(throws: Errno.notDirectory) { try AtomicFile.requirePlace(for: folder.path("file/new")) }
    // The target of a link is replaced, and the link's own folder does not change.
    try folder.make("links")
    try FileManager.default.createSymbolicLink(at: folder.url("links/report"), withDestinationURL: folder.url("file"))
    try AtomicFile.requirePlace(for: folder.path("links/report"))
  }

  @Test func `a reader that has the old file open keeps the old content`() throws {
    let path = folder.path("out.png")
    try AtomicFile.write(Array("old".utf8), to: path)
    let reader = try FileHandle(forReadingFrom: folder.url("out.png"))
    try AtomicFile.write(Array("newer".utf8), to: path)
    #expect(try reader.readToEnd() == Data("old".utf8))
  }

  @Test func `a link stays, and the file behind it is replaced`() throws {
    try Data("precious".utf8).write(to: folder.url("target"))
    try folder.link("out.png", to: "target")
    try AtomicFile.write([0], to: folder.path("out.png"))
    #expect(try Data(contentsOf: folder.url("target")) == Data([0]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.url("out.png").path) == "target")
  }

  @Test func `a device stays a device`() throws {
    try AtomicFile.write(Array("gone".utf8), to: "/dev/null")
    let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(kind as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test func `a failed write throws and leaves nothing behind`() throws {
    #expect(throws: Errno.noSuchFileOrDirectory) { try AtomicFile.write([1], to: folder.path("missing/out.png")) }
    // The temporary file is complete before the target turns out to be a folder.
    try folder.make("taken")
    #expect(throws: Errno.isDirectory) { try AtomicFile.write([1], to: folder.path("taken")) }
    #expect(throws: Errno.isDirectory) { try AtomicFile.write([1], to: "/") }
    #expect(throws: Errno.fileNameTooLong) { try AtomicFile.write([1], to: folder.path(String(repeating: "n", count: 256))) }
    #expect(try Self.names(in: folder) == ["taken"])
  }

  @Test func `a full disk throws and leaves nothing behind`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      // A limit on file sizes stands in for the disk; the signal that comes with it is ignored.
      var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
      signal(SIGXFSZ, SIG_IGN)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      #expect(throws: Errno.fileTooLarge) {
        try AtomicFile.write([UInt8](repeating: 7, count: 20_000), to: folder.path("out.png"))
      }
      #expect(try Self.names(in: folder).isEmpty)
    }
  }

  /// The longest names a file system takes, in one-byte letters, in emoji, and in one letter with
  /// many accents.
  @Test(arguments: [
    String(repeating: "n", count: 251) + ".png", String(repeating: "🎵", count: 62) + ".png",
    String(repeating: "👨‍👩‍👧‍👦", count: 10) + ".png", "e" + String(repeating: "\u{301}", count: 125) + ".png",
  ])
  func `names of 255 bytes can be written`(name: String) throws {
    #expect((250...255).contains(name.utf8.count))
    try AtomicFile.write([1], to: folder.path(name))
    #expect(try Self.names(in: folder) == [name])
  }

  @Test func `folders are made, and those that exist are fine`() throws {
    try AtomicFile.makeFolder(folder.path("a/b/c"))
    try AtomicFile.makeFolder(folder.path("a/b/c"))
    try AtomicFile.makeFolder("/")
    try AtomicFile.makeFolder("")
    var isFolder: ObjCBool = false
    unsafe #expect(FileManager.default.fileExists(atPath: folder.url("a/b/c").path, isDirectory: &isFolder))
    #expect(isFolder.boolValue)
  }

  @Test func `a folder below a file is refused`() throws {
    try Data().write(to: folder.url("file"))
    #expect(throws: Errno.notDirectory) { try AtomicFile.makeFolder(folder.path("file/below")) }
    #expect(throws: Errno.notDirectory) { try AtomicFile.makeFolder(folder.path("file")) }
  }

  /// In a separate process, because abandoning cannot be undone.
  @Test func `once abandoned, writers stop, and their temporary files are gone`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let bytes = [UInt8](repeating: 1, count: 1 << 20)
      // Writers that go on until they are refused: they are in the middle of something. Any of them
      // may be the one that runs first, or alone.
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            var refused: Errno?
            var written = 0
            while refused == nil {
              do throws(Errno) {
                try AtomicFile.write(bytes, to: folder.path("\(writer)-\(written % 8)"))
                written += 1
              } catch { refused = error }
              if written == 5 { AtomicFile.abandonAll() }
            }
            // Cut off in the middle, or refused at the start.
            #expect([.canceled, .noSuchFileOrDirectory].contains(refused))
          }
        }
      }
      #expect(try Self.names(in: folder).allSatisfy { !$0.hasSuffix(".tmp") })
      #expect(try Self.names(in: folder).contains { $0.hasSuffix("-4") })
      #expect(throws: Errno.canceled) { try AtomicFile.write([1], to: folder.path("late")) }
    }
  }

  /// In a separate process. The write is long enough to be caught in the middle; if it is not, the test proves
  /// nothing, but does not fail.
  @Test func `abandoning removes what is being written at once, not when its writer is done`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      func partial() throws -> [String] { try Self.names(in: folder).filter { $0.hasSuffix(".tmp") } }
      let bytes = [UInt8](repeating: 1, count: 256 << 20)
      let writer = Thread { try? AtomicFile.write(bytes, to: folder.path("large")) }
      writer.start()
      while try partial().isEmpty, !writer.isFinished {}
      AtomicFile.abandonAll()
      #expect(try partial().isEmpty)
    }
  }
}
