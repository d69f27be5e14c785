@testable import ArtworkMedia

/// Everything that is opened is closed, especially if opening fails half-way. In separate processes, so that nothing
/// else opens files meanwhile.
@Suite struct OwnershipTests {
  /// The minimum of five counts: the system's thread pool briefly opens files itself.
  static func openFiles() throws -> Int {
    try (0..<5).map { _ in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }.min() ?? 0
  }

  /// Bytes that this process has from glibc's allocator, which reports them only in XML.
  static func allocatedBytes() throws -> Int {
    typealias Tell = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
    let symbol = try unsafe #require(dlsym(nil, "malloc_info"))
    var (text, count): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    let stream = try unsafe #require(open_memstream(&text, &count))
    unsafe #expect(unsafeBitCast(symbol, to: Tell.self)(0, stream) == 0)
    unsafe fclose(stream)
    defer { unsafe free(text) }
    // The sums follow the heaps.
    let sums = try unsafe #require(text.map { String(cString: $0) }?.components(separatedBy: "</heap>").last)
    return try size("system type=\"current\"", in: sums) + size("total type=\"mmap\"", in: sums)
      - size("total type=\"fast\"", in: sums) - size("total type=\"rest\"", in: sums)
  }

  private static func size(_ element: String, in text: String) throws -> Int {
    guard let start = text.range(of: "<\(element) "), let size = text[start.upperBound...].range(of: "size=\""),
      let number = Int(text[size.upperBound...].prefix { $0.isNumber })
    else { throw Errno.invalidArgument }
    return number
  }

  @Test func `broken files leave no descriptor open`() async {
    await #expect(processExitsWith: .success) {
      let broken = Fixture.all.filter { $0.file.hasPrefix("broken-") || $0.label.loop == nil }
      let (decodable, refused) = (broken.filter { $0.label.loop != nil }, broken.filter { $0.label.loop == nil })
      #expect(decodable.count >= 3 && refused.count >= 6)
      func inspect(_ fixtures: [Fixture]) {
        for fixture in fixtures { _ = try? Inspector().inspect(fixture.path, preview: .original) }
        for path in ["/dev/null", "/", "/nowhere"] { _ = try? Inspector().inspect(FilePath(path)) }
      }
      inspect(broken)
      let before = try Self.openFiles()
      for _ in 0..<200 { inspect(refused) }
      for _ in 0..<10 { inspect(decodable) }
      #expect(try Self.openFiles() == before)
    }
  }

  /// The minimum growth of 20 calls, of five measurements: a leak occurs in each of them, while the one-time set-up
  /// of Swift and glibc, such as a thread's memory or a cache, occurs in one of them at an unpredictable time.
  static func leastGrowth(of call: () -> Void) throws -> Int {
    var least = Int.max
    for _ in 0..<5 where least >= lost {
      let before = try allocatedBytes()
      for _ in 0..<20 { call() }
      least = min(least, try allocatedBytes() - before)
    }
    return least
  }

  /// A demuxer or a decoder that is lost takes tens of kilobytes with it, so 20 of them much more than this.
  static let lost = 12_000

  @Test(
    arguments: Nightly.some(
      3,
      of: ["good-1x1.mp4", "broken-truncated.mp4", "broken-text.mp4", "broken-no-moov.mp4", "audio-only.mp4", "image-anim.gif"])
  )
  func `inspecting again and again takes no memory, whether it succeeds or fails`(file: String) async {
    await #expect(processExitsWith: .success) { [file] in
      let path = Fixture.named(file).path
      let inspect = { _ = try? Inspector().inspect(path, preview: .original) }
      // Swift's own caches fill up in the first rounds.
      for _ in 0..<25 { inspect() }
      let grown = try Self.leastGrowth(of: inspect)
      #expect(grown < Self.lost, "\(grown) bytes in 20 inspections")
    }
  }

  @Test func `a kilobyte that each call loses would be seen`() async {
    await #expect(processExitsWith: .success) {
      var kept: [UnsafeMutableRawPointer?] = []
      let grown = try Self.leastGrowth { kept.append(malloc(1_000)) }
      #expect(grown >= Self.lost)
      #expect(kept.count == 100)
    }
  }

  @Test(arguments: [("broken-hls.mp4", "good-1x1.mp4"), ("broken-concat.mp4", "good-1x1.mp4")])
  func `a playlist or a script named .mp4 makes nothing open its neighbour`(file: String, neighbour: String) throws {
    let folder = try TemporaryFolder()
    for name in [file, neighbour] { try folder.copy(.named(name), to: name) }
    #expect(try String(contentsOf: folder.url(file), encoding: .utf8).contains(neighbour))
    let watch = FileDescriptor(rawValue: inotify_init1(Int32(IN_NONBLOCK)))
    defer { try? watch.close() }
    try unsafe #require(inotify_add_watch(watch.rawValue, folder.url(neighbour).path, UInt32(IN_OPEN)) >= 0)
    func wasOpened() -> Bool {
      var events = [UInt8](repeating: 0, count: 4096)
      return unsafe events.withUnsafeMutableBytes { unsafe (try? watch.read(into: $0)) ?? 0 } > 0
    }
    #expect(refusal { try Inspector().inspect(folder.path(file)) }?.code == .notAMovie)
    #expect(!wasOpened())
    // The check works: opening the neighbour is detected.
    _ = try Inspector().inspect(folder.path(neighbour))
    #expect(wasOpened())
  }

  @Test func `FFmpeg's last words belong to the file they were said of`() throws {
    let damaged = Fixture.named("broken-truncated.mp4")
    LogCapture.scope {
      #expect(LogCapture.lastLine == nil)
      _ = try? Inspector().inspect(damaged.path, everyFrame: true)
      // The inspection has its own scope and cleans up.
      #expect(LogCapture.lastLine == nil)
    }
    let error = #expect(throws: InspectionError.self) { try Inspector().inspect(Fixture.named("broken-text.mp4").path) }
    #expect(error?.message == "this is not a video file")
  }
}
