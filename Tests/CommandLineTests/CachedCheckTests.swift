import HostileMedia
import TestSupport

@testable import ArtworkService

/// `check` with cached measurements.
@Suite struct CachedCheckTests {
  /// The report without its times, and the exit code.
  private static func report(
    _ arguments: [String], cache: TemporaryFolder
  ) throws -> (status: Int32, text: String) {
    let result = try BuiltTool.run(
      ["check", "--format", "json", "--jobs", "2"] + arguments,
      environment: ["ARTWORKD_CACHE_DIR": cache.root.path])
    let text = result.output.replacing(/"seconds" ?: ?[0-9.e-]+/, with: "\"seconds\":0")
    return (result.status, text)
  }

  /// Measurements, without the digests by which `repair` knows files again.
  private static func rowCount(_ cache: TemporaryFolder) throws -> Int {
    let query = """
      import sqlite3, sys
      rows = "SELECT count(*) FROM inspections WHERE request <> 'sha256'"
      print(sqlite3.connect(sys.argv[1]).execute(rows).fetchone()[0])
      """
    let result = try cache.run("python3 -c", [query, "inspections.sqlite"])
    return try #require(Int(result.output.trimmingCharacters(in: .newlines)))
  }

  @Test("a report is the same without a cache, with an empty one, and with a full one")
  func same() throws {
    let (cache, copies) = (try TemporaryFolder(), try TemporaryFolder())
    let fixtures = Nightly.some(7, of: Fixture.all)
    for fixture in fixtures { try copies.copy(fixture, to: fixture.file) }
    try copies.waitUntilSettled()
    let folder = copies.root.path
    let without = try Self.report([folder, "--no-cache"], cache: cache)
    #expect(cache.names().isEmpty)
    #expect(without.text.count > 800 * fixtures.count)
    for round in ["empty", "full"] {
      let with = try Self.report([folder], cache: cache)
      #expect(with.status == without.status, "\(round)")
      #expect(with.text == without.text, "\(round)")
    }
    // The measurements that repair needs are those of check.
    let kept = try Self.rowCount(cache)
    #expect(kept > 0)
    let planned = try copies.artworkd(
      "repair . --dry-run", environment: ["ARTWORKD_CACHE_DIR": cache.root.path])
    #expect(planned.output.contains(" clips: "), "\(planned.output.suffix(300))")
    #expect(try Self.rowCount(cache) == kept)
    // A cache in ruins changes no report either.
    var bytes = try cache.data("inspections.sqlite")
    #expect(bytes.count > 800 * fixtures.count)
    for place in stride(from: 0, to: bytes.count, by: 977) { bytes[place] ^= 0x10 }
    try cache.write(bytes, to: "inspections.sqlite")
    #expect(try Self.report([folder], cache: cache).text == without.text)
  }

  @Test("after every change around the videos, a report with a cache is the one without a cache")
  func changes() throws {
    let cache = try TemporaryFolder()
    let folder = try TemporaryFolder([
      "one/1x1.mp4": "good-1x1.mp4", "one/3x4.mp4": "good-3x4.mp4", "two/1x1.mp4": "loop-jump.mp4",
      "two/3x4.mp4": "good-3x4-apple.mp4",
    ])
    try folder.waitUntilSettled()
    var seen: Set<String> = []
    func expectSame(_ change: String, _ arguments: [String] = []) throws {
      let arguments = [folder.root.path] + arguments
      let without = try Self.report(arguments + ["--no-cache"], cache: cache)
      for _ in 0..<(Nightly.isOn ? 2 : 1) {
        let with = try Self.report(arguments, cache: cache)
        #expect(with.text == without.text && with.status == without.status, "\(change)")
      }
      #expect(seen.insert(without.text).inserted, "\(change) changes the report")
    }
    try expectSame("nothing")
    try expectSame("another profile", ["--profile", "web,apple-album-motion"])
    try folder.copy("cover.jpg", to: "one/cover.jpg")
    try expectSame("a cover", ["--profile", "apple-album-motion"])
    try folder.copy("cover.jpg", to: "two/3x4.jpg")
    try expectSame("a preview")
    try folder.write("rules: {pair: {likeness: 1}}\n", to: "artwork.yml")
    try expectSame("another limit")
    let manifest = "artworkID,1x1,3x4\nan-id,one/1x1.mp4,two/3x4.mp4\n"
    try folder.write(manifest, to: "manifest.csv")
    try folder.write("manifest: manifest.csv\n", to: "artwork.yml")
    try expectSame("a manifest")
    try folder.remove("one/3x4.mp4")
    try folder.copy("aspect-3x4-off-1.6pct.mp4", to: "one/3x4.mp4")
    try expectSame("another video")
  }

  @Test("a report on files made to hurt is the same, too", .nightly)
  func hostile() throws {
    let cache = try TemporaryFolder()
    let hostile = try HostileFolder.folder.get()
    try hostile.waitUntilSettled()
    let folder = hostile.root.path
    let without = try Self.report([folder, "--no-cache"], cache: cache)
    for _ in 0..<2 { #expect(try Self.report([folder], cache: cache).text == without.text) }
  }

  @Test("many processes share one cache")
  func several() async throws {
    let cache = try TemporaryFolder()
    let files = ["good-1x1.mp4", "loop-jump.mp4", "prores-422.mov", "broken-text.mp4"]
    let paths = files.map { Fixture.named($0).url.path }
    let without = try Self.report(paths + ["--no-cache"], cache: cache)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try Self.report(paths, cache: cache).text } }
      for try await text in group { #expect(text == without.text) }
    }
    let kept = cache.names()
    #expect(!kept.contains { $0.hasSuffix(".damaged") }, "\(kept)")
  }

  /// The system calls of a check of two releases that share their bytes.
  private static func trace(_ cache: TemporaryFolder, _ folder: URL) throws -> [Substring] {
    let scratch = try TemporaryFolder()
    let result = try scratch.run(
      "strace -f -qq -s 4096 -e trace=open,openat,openat2,clone,clone3,fork,vfork -o trace "
        + "\(BuiltTool.find().path) check --format ndjson \(folder.path)",
      environment: ["ARTWORKD_CACHE_DIR": cache.root.path])
    #expect(result.status <= 1, "\(result.error)")
    return try scratch.text("trace").split(separator: "\n")
  }

  @Test(
    "a second check opens no video and starts no worker",
    .enabled(if: Trace.isPresent, Trace.absence))
  func traced() throws {
    let cache = try TemporaryFolder()
    // Equal in length, so that their contents are compared; and one that is inconclusive.
    let folder = try TemporaryFolder([
      "one/1x1.mp4": "good-1x1.mp4", "two/1x1.mp4": "good-1x1.mp4", "loose.mp4": "loop-jump.mp4",
    ])
    try folder.waitUntilSettled()
    func opened(_ calls: [Substring]) -> Int {
      calls.count { $0.contains(" open") && $0.contains(".mp4") && !$0.contains("O_PATH") }
    }
    // Threads share their memory, workers do not.
    func forked(_ calls: [Substring]) -> Int {
      calls.count {
        // A call that another thread's call interrupts has a second line, which marks it as resumed.
        !$0.contains(" resumed>")
          && ($0.contains("fork(") || $0.contains(" clone") && !$0.contains("CLONE_VM"))
      }
    }
    let first = try Self.trace(cache, folder.root)
    #expect(opened(first) >= 3)
    #expect(forked(first) >= 4, "the zygote and a worker for each file")
    let second = try Self.trace(cache, folder.root)
    #expect(opened(second) == 0)
    #expect(forked(second) == 2, "the zygote and its spare")
  }
}
