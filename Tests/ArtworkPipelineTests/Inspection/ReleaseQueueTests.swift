@Suite struct ReleaseQueueTests {
  /// Two releases of two files, with a file between them that belongs to none.
  static let paths: [FilePath] = ["one/1x1.mp4", "one/3x4.mp4", "x.mp4", "two/1x1.mp4", "two/3x4.mp4"]

  static func queue(_ paths: [FilePath] = paths, jobs: Int = 1) -> ReleaseQueue {
    ReleaseQueue(Catalogue(paths.map { Candidate(path: $0) }, Configuration()), jobs: jobs)
  }

  static func add(_ paths: FilePath..., to queue: inout ReleaseQueue) -> [FilePath] {
    queue.add(paths.map { CandidateReport(path: $0) }).map(\.path)
  }

  @Test func `a release waits for those before it`() {
    var queue = Self.queue()
    #expect(Self.add("two/1x1.mp4", "two/3x4.mp4", to: &queue) == [])
    #expect(Self.add("one/1x1.mp4", "one/3x4.mp4", to: &queue) == ["one/1x1.mp4", "one/3x4.mp4"])
    #expect(Self.add("x.mp4", to: &queue) == ["x.mp4", "two/1x1.mp4", "two/3x4.mp4"])
    #expect(queue.drain().isEmpty)
  }

  @Test(arguments: [1, 8])
  func `one slow file does not hold back everything`(jobs: Int) {
    let paths = (0..<100).map { FilePath("\($0)/clip.mp4") }
    var queue = Self.queue(paths, jobs: jobs)
    var shown: [FilePath] = []
    for path in paths.dropFirst() {
      let ready = Self.add(path, to: &queue)
      #expect(ready.count <= queue.mostWaiting + 1)
      shown += ready
    }
    #expect(shown.count >= 99 - queue.mostWaiting)
    #expect(shown == Array(paths.dropFirst().prefix(shown.count)))
    shown += Self.add(paths[0], to: &queue)
    #expect(shown.count == 100 && Set(shown) == Set(paths))
  }

  @Test func `a run that ends early shows what waits, in order, and each once`() {
    var queue = Self.queue()
    #expect(Self.add("two/1x1.mp4", "two/3x4.mp4", to: &queue) == [])
    #expect(Self.add("x.mp4", to: &queue) == [])
    #expect(queue.drain().map(\.path) == ["x.mp4", "two/1x1.mp4", "two/3x4.mp4"])
    #expect(queue.drain().isEmpty)
    #expect(Self.add("one/1x1.mp4", "one/3x4.mp4", to: &queue) == ["one/1x1.mp4", "one/3x4.mp4"])
    #expect(queue.drain().isEmpty)
  }
}
