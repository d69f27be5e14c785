import Logging

@testable import ArtworkPipeline

@Suite struct InspectionCacheTests {
  private static func open(_ folder: FilePath) -> InspectionCache? {
    InspectionCache.open(in: folder, logger: Logger(label: "test"))
  }

  private static func key(_ number: Int) -> InspectionCache.Key {
    InspectionCache.Key(path: Array("/artwork/\(number)".utf8) + [0xff], request: "ends")
  }

  /// A cache with so many rows, closed.
  private static func fill(_ folder: FilePath, count: Int) throws {
    let cache = try #require(open(folder))
    for number in 0..<count {
      cache.keep([UInt8](repeating: UInt8(number % 251), count: 1000), for: key(number), condition: "same")
    }
    cache.finish()
  }

  @Test func `what was kept is found by the next process, under the same condition only`() throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder.path("cache"), count: 250)
    let cache = try #require(Self.open(folder.path("cache")))
    for number in [0, 99, 249] {
      let found = cache.outcome(for: Self.key(number), condition: "same")
      #expect(found == [UInt8](repeating: UInt8(number % 251), count: 1000))
    }
    #expect(cache.outcome(for: Self.key(0), condition: "other") == nil)
    #expect(cache.outcome(for: Self.key(250), condition: "same") == nil)
    let mode =
      try FileManager.default.attributesOfItem(atPath: folder.url("cache/inspections.sqlite").path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `beyond the bound, what was not used for the longest goes`() throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder.path("cache"), count: 30)
    let cache = try #require(Self.open(folder.path("cache")))
    func pictures(_ number: Int) -> InspectionCache.Key {
      InspectionCache.Key(path: [1, UInt8(number)], request: InspectionCache.picturesPrefix + "ends")
    }
    for number in 0..<5 { cache.keep([2], for: pictures(number), condition: "same") }
    cache.flush()
    func left() -> [Int] {
      [
        (0..<30).count { cache.outcome(for: Self.key($0), condition: "same") != nil },
        (0..<5).count { cache.outcome(for: pictures($0), condition: "same") != nil },
      ]
    }
    try cache.drop(beyond: .init(results: 30, pictures: 5))
    #expect(left() == [30, 5])
    try cache.drop(beyond: .init(results: 10, pictures: 5))
    #expect(left() == [10, 5])
    try cache.drop(beyond: .init(results: 10, pictures: 2))
    #expect(left() == [10, 2])
  }

  @Test(arguments: [97, 4099])
  func `no row of a damaged database is believed unless it is whole`(step: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cache")
    try Self.fill(path, count: 100)
    let file = folder.url("cache/inspections.sqlite")
    let original = try Data(contentsOf: file)
    var found = 0
    for start in stride(from: 0, to: step, by: step / 7) {
      var bytes = original
      for place in stride(from: start, to: bytes.count, by: step) { bytes[place] ^= 0x20 }
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url("cache").path) {
        try FileManager.default.removeItem(at: folder.url("cache/" + name))
      }
      try bytes.write(to: file)
      guard let cache = Self.open(path) else { continue }
      for number in 0..<100 {
        guard let kept = cache.outcome(for: Self.key(number), condition: "same") else { continue }
        found += 1
        #expect(kept == [UInt8](repeating: UInt8(number % 251), count: 1000))
      }
      cache.finish()
    }
    // A row has some 1,100 bytes.
    #expect(step < 1000 ? found == 0 : found > 0)
  }

  @Test func `a file that is no database is set aside, and a new one begun`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cache")
    try Self.fill(path, count: 1)
    let file = folder.url("cache/inspections.sqlite")
    try Data(repeating: 0x41, count: 10_000).write(to: file)
    try Self.fill(path, count: 3)
    let cache = try #require(Self.open(path))
    #expect(cache.outcome(for: Self.key(2), condition: "same") != nil)
    let aside = try Data(contentsOf: folder.url("cache/inspections.sqlite.damaged"))
    #expect(aside == Data(repeating: 0x41, count: 10_000))
  }

  @Test func `the database of another version is left alone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cache")
    try Self.fill(path, count: 1)
    let file = folder.url("cache/inspections.sqlite")
    var bytes = try Data(contentsOf: file)
    // user_version: bytes 60 to 63 of the header (sqlite.org/fileformat2.html).
    #expect(bytes[63] == 1)
    bytes[63] = 2
    try bytes.write(to: file)
    #expect(Self.open(path) == nil)
    // SQLite itself may touch it: only the rows and the version must not change.
    bytes = try Data(contentsOf: file)
    #expect(bytes[63] == 2)
    bytes[63] = 1
    try bytes.write(to: file)
    let cache = try #require(Self.open(path))
    #expect(cache.outcome(for: Self.key(0), condition: "same") != nil)
  }

  @Test func `what is no folder, or no file, is no cache`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url("file"))
    #expect(Self.open(folder.path("file/cache")) == nil)
    try folder.make("a/inspections.sqlite")
    #expect(Self.open(folder.path("a")) == nil)
    try folder.make("b")
    unsafe #expect(mkfifo(folder.url("b/inspections.sqlite").path, 0o600) == 0)
    #expect(Self.open(folder.path("b")) == nil)
  }

  @Test(
    arguments: [
      (["ARTWORKD_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"], "/a"),
      (["XDG_CACHE_HOME": "/b", "HOME": "/c"], "/b/artworkd"), (["HOME": "/c"], "/c/.cache/artworkd"),
      (["XDG_CACHE_HOME": "relative", "HOME": "/c"], "/c/.cache/artworkd"),
      (["ARTWORKD_CACHE_DIR": "", "HOME": "/c"], "/c/.cache/artworkd"), ([:], nil),
    ] as [([String: String], FilePath?)])
  func `the environment names the folder`(environment: [String: String], folder: FilePath?) {
    #expect(InspectionCache.folder(environment: environment) == folder)
  }
}
