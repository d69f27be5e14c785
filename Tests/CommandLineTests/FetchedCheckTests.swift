import TestSupport

/// Videos that are fetched while they are checked, by links that hold a secret.
@Suite(.timeLimit(.minutes(5))) struct FetchedCheckTests {
  /// The secret of presigned links: it grants access to the file.
  private static let secret = "X-Amz-Signature=5ec2e7"

  /// A server with fixtures by path, and an error for others.
  private static func server(_ files: [String: String]) throws -> LoopbackServer {
    let contents = try files.mapValues { Array(try Data(contentsOf: Fixture.named($0).url)) }
    return try LoopbackServer { (request: String, peer: LoopbackServer.Peer) in
      let path = request.dropFirst("GET ".count).prefix { $0 != "?" && $0 != " " }
      guard request.contains(secret), let bytes = contents[String(path)] else {
        _ = peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        return
      }
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
      _ = peer.send(bytes)
    }
  }

  private static func check(
    _ server: LoopbackServer, _ paths: [String], _ options: [String],
    in folder: TemporaryFolder
  ) throws -> BuiltTool.Result {
    let list = paths.map { "http://127.0.0.1:\(server.port)\($0)\n" }.joined()
    return try BuiltTool.run(
      ["check", "-", "--no-cache", "--verbose"] + options, in: folder.root,
      environment: ["TMPDIR": folder.root.path], input: list)
  }

  @Test("results are those of the same files, and no output shows the secret")
  func sameAsFiles() throws {
    let folder = try TemporaryFolder()
    let files = [
      "a/1x1.mp4": "good-1x1.mp4", "b/3x4.mp4": "loop-jump.mp4", "c.gif": "broken-text.mp4",
    ]
    let server = try Self.server(
      Dictionary(uniqueKeysWithValues: files.map { ("/art/" + $0, $1) }))
    let root = "127.0.0.1:\(server.port)/art"
    for (name, fixture) in files {
      let copy = folder.url("\(root)/\(name)")
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: copy)
    }
    let names = files.keys.sorted()
    let local = try BuiltTool.run(
      ["check", "--no-cache", "--format", "json", "--profile", "now-playing,web"]
        + names.map { "\(root)/\($0)" }, in: folder.root)
    try FileManager.default.removeItem(at: folder.url("127.0.0.1:\(server.port)"))
    let formats = ["json", "ndjson", "junit", "sarif", "github", "markdown", "html", "text"]
    let fetched = try Self.check(
      server, names.map { "/art/\($0)?x=1&\(Self.secret)" },
      ["--allow-source", "http://127.0.0.1:\(server.port)/art", "--profile", "now-playing,web"]
        + formats.flatMap { ["--report", "\($0)=r.\($0)"] }, in: folder)
    #expect(fetched.status == local.status)
    #expect(fetched.status == 2)
    let json = String(decoding: try Data(contentsOf: folder.url("r.json")), as: UTF8.self)
    #expect(ShardedCheckTests.timeless(json) == ShardedCheckTests.timeless(local.output))
    for text in try formats.map({ try Data(contentsOf: folder.url("r.\($0)")) })
      .map({ String(decoding: $0, as: UTF8.self) }) + [fetched.output, fetched.error]
    {
      #expect(text.contains("a/1x1.mp4") || text.isEmpty)
      #expect(!text.contains("5ec2e7") && !text.contains("X-Amz"))
    }
    // The downloaded file had no name.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.root.path)
    #expect(Set(left) == Set(formats.map { "r.\($0)" }))
  }

  @Test("what is not allowed or not there is an error of that file alone, without the secret")
  func refused() throws {
    let folder = try TemporaryFolder()
    let server = try Self.server(["/art/1x1.mp4": "good-1x1.mp4", "/other/1x1.mp4": "good-1x1.mp4"])
    let result = try Self.check(
      server,
      [
        "/art/1x1.mp4?\(Self.secret)", "/other/1x1.mp4?\(Self.secret)",
        "/art/3x4.mp4?\(Self.secret)", "/art/../other/3x4.mp4?\(Self.secret)",
      ],
      ["--allow-source", "http://127.0.0.1:\(server.port)/art", "--format", "ndjson"], in: folder)
    #expect(result.status == 2)
    let errors = try result.objects().dropLast().map { row in
      (row["error"] as? [String: Any])?["code"] as? String ?? "none"
    }
    #expect(errors.sorted() == ["none", "not-fetched", "not-fetched", "not-fetched"])
    #expect(result.output.contains("the server answered 403"))
    #expect(result.output.contains("no --allow-source prefix matches"))
    #expect(!(result.output + result.error).contains("5ec2e7"))
    try ReportSchema.expectValidIfPossible(result.lines)
    #expect(server.requests.count == 2)
    // No host is allowed by default.
    let refused = try Self.check(server, ["/art/1x1.mp4?\(Self.secret)"], [], in: folder)
    #expect(refused.status == 2)
    #expect(server.requests.count == 2)
  }

  @Test("shards of links have evidence, by which merge finds equal videos")
  func evidence() throws {
    let folder = try TemporaryFolder()
    let server = try Self.server([
      "/a/1x1.mp4": "good-1x1.mp4", "/b/1x1.mp4": "good-1x1.mp4", "/c/1x1.mp4": "rate-24.mp4",
    ])
    for shard in 1...2 {
      let result = try Self.check(
        server, ["/a/1x1.mp4", "/b/1x1.mp4", "/c/1x1.mp4"].map { "\($0)?\(Self.secret)" },
        [
          "--allow-source", "http://127.0.0.1:\(server.port)", "--shard", "\(shard)/2",
          "--resume", "\(shard).ndjson", "--exit-zero",
        ], in: folder)
      #expect(result.status == 0, "\(result.error)")
    }
    let merged = try BuiltTool.run(
      ["merge", "1.ndjson", "2.ndjson", "--format", "ndjson"], in: folder.root)
    #expect(try merged.objects().count == 4)
    #expect(merged.output.contains("duplicate-content"))
    #expect(!merged.output.contains("5ec2e7"))
  }

  @Test("links that would count as one file, and prefixes that are none, are usage errors")
  func usage() throws {
    let folder = try TemporaryFolder()
    let server = try Self.server([:])
    let ambiguous = try Self.check(server, ["/1x1.mp4?id=1", "/1x1.mp4?id=2"], [], in: folder)
    #expect(ambiguous.status == 64)
    #expect(ambiguous.error.contains("127.0.0.1:\(server.port)/1x1.mp4 is named twice"))
    let prefix = try BuiltTool.run(
      ["check", "--allow-source", "https://media.example.com/?\(Self.secret)"])
    #expect(prefix.status == 64)
    #expect(prefix.error.contains("https://media.example.com/' is not a valid --allow-source"))
    #expect(!prefix.error.contains("5ec2e7"))
    #expect(try BuiltTool.run(["check", "--watch", "https://media.example.com/a"]).status == 64)
  }
}
