import TestSupport

@testable import ArtworkPipeline

@Suite struct FolderWatchTests {
  /// A watch with simulated time between scans, over a folder of real files.
  struct Trial {
    let folder: TemporaryFolder
    var watch: FolderWatch
    var now: Duration

    init(_ names: [String] = []) throws {
      folder = try TemporaryFolder()
      watch = FolderWatch([FilePath(folder.root.path)])
      now = .sinceEpoch + .seconds(10)
      for name in names { try write(name) }
    }

    /// Last changed some seconds ago.
    func write(_ name: String, bytes: Int = 100, ago: Double = 5) throws {
      try Data(repeating: 1, count: bytes).write(to: folder.url(name))
      try date(name, ago: ago)
    }

    func append(_ name: String, ago: Double = 5) throws {
      let file = try FileHandle(forWritingTo: folder.url(name))
      try file.seekToEnd()
      try file.write(contentsOf: Data([1, 2, 3]))
      try file.close()
      try date(name, ago: ago)
    }

    func date(_ name: String, ago: Double) throws {
      let seconds = now / .seconds(1) - ago
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)],
        ofItemAtPath: folder.url(name).path)
    }

    mutating func scan(after seconds: Double = 0.5) -> (settled: [String], gone: [String]) {
      now += .seconds(seconds)
      let changes = watch.scan(now: now)
      func name(_ path: FilePath) -> String { path.lastComponent?.string ?? "" }
      return (changes.settled.map { name($0.path) }, changes.gone.map(name))
    }
  }

  @Test("what is there at first is reported once, at the second scan")
  func first() throws {
    var trial = try Trial(["a.mp4", "b.mp4"])
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4", "b.mp4"])
    #expect(trial.scan().settled == [] && trial.scan(after: 100).settled == [])
  }

  @Test("a file that grows at each scan is not reported, and once it stops it is, once")
  func growing() throws {
    var trial = try Trial(["a.mp4"])
    for _ in 0..<20 {
      #expect(trial.scan().settled == [])
      // Old by its date: only its growth is visible.
      try trial.append("a.mp4")
    }
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4"])
    #expect(trial.scan().settled == [])
    try trial.append("a.mp4")
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4"])
  }

  @Test("a file that was changed just now is not reported until it is a second old")
  func fresh() throws {
    var trial = try Trial()
    _ = trial.scan()
    try trial.write("a.mp4", ago: 0)
    #expect(trial.scan(after: 0.3).settled == [])
    #expect(trial.scan(after: 0.3).settled == [])
    #expect(trial.scan(after: 0.3).settled == [])
    #expect(trial.scan(after: 0.3).settled == ["a.mp4"])
  }

  @Test("a file from the future is reported after a second of calm")
  func future() throws {
    var trial = try Trial()
    try trial.write("a.mp4", ago: -3600)
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4"])
  }

  @Test("a file that takes another's place is reported, even with the same size and date")
  func replaced() throws {
    var trial = try Trial(["a.mp4"])
    _ = (trial.scan(), trial.scan())
    try trial.write("b.tmp", ago: 5)
    let date = try FileManager.default.attributesOfItem(atPath: trial.folder.url("a.mp4").path)[
      .modificationDate]
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(date)], ofItemAtPath: trial.folder.url("b.tmp").path)
    #expect(rename(trial.folder.url("b.tmp").path, trial.folder.url("a.mp4").path) == 0)
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4"])
  }

  @Test("what goes is reported if it was reported before, also while it was being written again")
  func gone() throws {
    var trial = try Trial(["a.mp4", "b.mp4"])
    _ = (trial.scan(), trial.scan())
    try trial.write("c.mp4")
    try trial.append("b.mp4")
    #expect(trial.scan().gone == [])
    for name in ["a.mp4", "b.mp4", "c.mp4"] {
      try FileManager.default.removeItem(at: trial.folder.url(name))
    }
    #expect(trial.scan().gone == ["a.mp4", "b.mp4"])
    #expect(trial.scan().gone == [])
    try trial.write("a.mp4")
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4"])
    try FileManager.default.removeItem(at: trial.folder.root)
    #expect(trial.scan().gone == ["a.mp4"])
  }

  @Test("files in a folder that cannot be read for a moment have not gone")
  func unreadable() throws {
    var trial = try Trial()
    try FileManager.default.createDirectory(
      at: trial.folder.url("real/sub"), withIntermediateDirectories: true)
    for name in ["real/a.mp4", "real/sub/b.mp4"] { try trial.write(name) }
    let link = trial.folder.url("link")
    // A link to itself fails as a network folder may, for any user.
    func point(to target: String) throws {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: trial.folder.url(target).path)
    }
    try point(to: "real")
    trial.watch = FolderWatch([trial.folder.path("link")])
    _ = trial.scan()
    #expect(trial.scan().settled == ["a.mp4", "b.mp4"])
    try point(to: "link")
    #expect(trial.scan().gone == [])
    try FileManager.default.removeItem(at: trial.folder.url("real/a.mp4"))
    try point(to: "real")
    let back = trial.scan()
    #expect(back.gone == ["a.mp4"] && back.settled == [])
  }

  @Test("new folders are seen, paths that come later too, and what is left out is not")
  func paths() throws {
    var trial = try Trial()
    let named = trial.folder.path("later/x.mp4")
    trial.watch = FolderWatch([trial.folder.path("folder"), named]) {
      $0.lastComponent?.string != "not.mp4"
    }
    #expect(trial.scan().settled == [])
    try FileManager.default.createDirectory(
      at: trial.folder.url("folder/new"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: trial.folder.url("later"), withIntermediateDirectories: true)
    for name in ["folder/new/a.mp4", "folder/not.mp4", "later/x.mp4", "later/y.mp4"] {
      try trial.write(name)
    }
    #expect(trial.scan().settled == [])
    #expect(trial.scan().settled == ["a.mp4", "x.mp4"])
  }

  @Test("only files that are new or have changed are opened to see what they are")
  func opened() throws {
    let trial = try Trial(["text", "video.mp4"])
    try trial.folder.copy(Fixture.named("good-1x1.mp4"), to: "movie")
    var seen = CandidateFinder.Seen()
    func find() -> ([String], Int) {
      let found = CandidateFinder.find([FilePath(trial.folder.root.path)], seen: &seen)
      return (found.map { $0.path.lastComponent?.string ?? "" }, seen.opened)
    }
    #expect(find() == (["movie", "video.mp4"], 2))
    #expect(find() == (["movie", "video.mp4"], 0))
    // Another one under the same name.
    try FileManager.default.removeItem(at: trial.folder.url("text"))
    try trial.folder.copy(Fixture.named("good-3x4.mp4"), to: "text")
    #expect(find() == (["movie", "text", "video.mp4"], 1))
    #expect(find() == (["movie", "text", "video.mp4"], 0))
  }

  @Test("it runs until it is cancelled")
  func running() async throws {
    let trial = try Trial(["a.mp4"])
    let (stream, reported) = AsyncStream.makeStream(of: [String].self)
    let path = FilePath(trial.folder.root.path)
    let task = Task {
      var watch = FolderWatch([path])
      try await watch.run(every: .milliseconds(10)) { changes in
        reported.yield(changes.settled.map { $0.path.lastComponent?.string ?? "" })
      }
      reported.finish()
    }
    var batches = stream.makeAsyncIterator()
    #expect(await batches.next() == ["a.mp4"])
    task.cancel()
    #expect(await batches.next() == nil)
    try await task.value
  }
}
