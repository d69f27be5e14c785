@Suite struct InputFileTests {
  @Test func `what cannot be a video is refused before anything reads it`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url("empty.mp4"))
    unsafe #expect(folder.path("fifo.mp4").withPlatformString { mkfifo($0, 0o600) } == 0)
    try folder.link("loop.mp4", to: "loop.mp4")
    let expected: [(FilePath, InspectionError.Code)] = [
      (folder.path("missing.mp4"), .notFound), (folder.path("empty.mp4/below"), .unreadable),
      (folder.path("empty.mp4"), .emptyFile), (folder.path("fifo.mp4"), .notAFile), (FilePath(folder.root.path), .notAFile),
      ("/dev/zero", .notAFile), ("", .notFound), (folder.path("loop.mp4"), .unreadable),
      (folder.path(String(repeating: "n", count: 300)), .unreadable),
    ]
    for (path, code) in expected {
      let error = #expect(throws: InspectionError.self) { _ = try InputFile.open(path) }
      #expect(error?.code == code, "\(path)")
    }
  }

  @Test(
    "bytes are read where they are, as many as there are",
    arguments: [
      (0, 4, [0, 1, 2, 3]), (6, 4, [6, 7, 8, 9]), (8, 4, [8, 9]), (9, 1, [9]), (10, 1, []), (-1, 4, []), (0, 0, []),
      (.max, 4, []), (.min, 4, []), (3, 100, [3, 4, 5, 6, 7, 8, 9]),
      // A declared size reserves no more memory than the file has bytes.
      (8, .max, [8, 9]),
    ] as [(Int64, Int, [UInt8])])
  func bytes(offset: Int64, count: Int, expected: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try Data(0..<10).write(to: folder.url("ten"))
    let input = try InputFile.open(folder.path("ten"))
    #expect(input.size == 10)
    #expect(input.bytes(at: offset, count: count) == expected)
  }
}
