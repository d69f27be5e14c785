import ArtworkClients
import ArtworkService
import TestSupport

/// `artworkd publish` and `artworkd now-playing`.
@Suite struct ServiceCommandTests {
  private let folder: TemporaryFolder
  private let service: FakeService
  private let socket: String

  init() async throws {
    folder = try TemporaryFolder()
    socket = folder.url("a.sock").path
    service = try FakeService(at: socket)
  }

  /// Off the threads that the service in this process needs.
  private func run(_ arguments: [String]) async throws -> BuiltTool.Result {
    let socket = socket
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try BuiltTool.run(arguments + ["--socket", socket]) })
      }
    }
  }

  private func video(_ name: String) throws -> String {
    try folder.write("x", to: name)
    return folder.url(name).path
  }

  @Test("Without anything to show, now-playing prints that")
  func showsNothing() async throws {
    let shown = try await run(["now-playing"])
    #expect(shown.status == 0)
    #expect(shown.output == "Nothing is playing.\n")
  }

  @Test("What is shown and why fits 80 columns, and control characters show as such")
  func showsText() async throws {
    let main = try SessionSamples.id("main")
    let other = try SessionSamples.id("another-player-with-quite-a-long-name")
    let artworkID = try SessionSamples.artwork(String(repeating: "night-drive-", count: 9))
    service.with { state in
      state.artworks[ArtworkReference(artworkID, .square)] = "/a.mp4"
      state.board.publish(SessionSamples.session("org.other", title: "\u{1b}[2JWipe"), as: other)
      state.board.publish(
        MediaSession(
          application: "org.example.player",
          content: .music(songTitle: "Night Drive", artistName: "Band", albumName: "Roads"),
          artwork: [.square: artworkID],
          playback: PlaybackSnapshot(
            state: .playing(), elapsedSeconds: 62, timestamp: 990, duration: .finite(3700),
            adBreaks: [.init(startSeconds: 0, durationSeconds: 10)])),
        as: main)
      state.board.conditions = DeviceConditions(thermal: .serious, supportedKeys: [.square])
    }
    let shown = try await run(["now-playing"])
    #expect(
      shown.output == """
        Night Drive
        Band · Roads
        playing, 1:02 of 1:01:30

        1x1  preview  The device is too hot (serious).
                      night-drive-night-drive-night-drive-night-drive-night-drive-night…

        Why main: Of all sessions, only this one plays or buffers.

        ▶  main                      org.example.player  playing      Night Drive
        ·  another-player-with-qui…  org.other           idle         \\u{1b}[2JWipe
             The system shows main of org.example.player: it plays or buffers, and this
             one does not.

        Device: thermal serious, shows only 1x1

        """)
    #expect(shown.lines.allSatisfy { $0.count <= 80 })
    let json = try await run(["now-playing", "--format", "json"])
    let document = try SessionSamples.decode(NowPlaying.self, json.output)
    #expect(document.shown?.sessionID == main)
    #expect(json.lines.count == 1)
  }

  @Test("A long title is cut to the width, where wide characters take two columns")
  func cutsLongTitle() async throws {
    let id = try SessionSamples.id("main")
    let title = String(repeating: "夜", count: 20_000)
    service.with { state in state.board.publish(SessionSamples.session(title: title), as: id) }
    let shown = try await run(["now-playing"])
    #expect(shown.output.hasPrefix(String(repeating: "夜", count: 39) + "…\n"))
  }

  @Test("Watching, now-playing shows what changes, and ends when the service does")
  func watches() async throws {
    let id = try SessionSamples.id("main")
    let watch = try RunningTool(
      ["now-playing", "--watch", "--format", "json", "--socket", socket])
    func titles() throws -> [String?] {
      try watch.output.split(separator: "\n").map {
        try SessionSamples.decode(NowPlaying.self, String($0)).shown?.content?.title
      }
    }
    let client = ArtworkClient(.socket(path: socket))
    #expect(try await eventually { try titles() == [nil] })
    _ = try await client.publish(SessionSamples.session(title: "One"), as: id)
    #expect(try await eventually { try titles() == [nil, "One"] })
    _ = try await client.publish(SessionSamples.session(title: "Two"), as: id)
    #expect(try await eventually { try titles() == [nil, "One", "Two"] })
    await service.stop()
    #expect(try await eventually { !watch.process.isRunning })
    #expect(watch.status == 2)
    #expect(watch.error.hasPrefix("artworkd: the connection to the service was lost: "))
  }

  @Test("Without a service, the commands exit with 69 and print what to do")
  func needsService() async throws {
    await service.stop()
    for arguments in [["now-playing"], ["publish", try video("1x1.mp4")]] {
      let ended = try await run(arguments)
      #expect(ended.status == 69)
      #expect(ended.error.contains("is artworkd serve running?\n"))
    }
  }

  @Test(
    "publish --detach leaves a session with what was said of it, and prints the file of each video")
  func detaches() async throws {
    let one = try video("cover_1x1.mp4")
    let ended = try await run([
      "publish", one, "--detach", "--session", "s", "--application", "app", "--title", "Song",
      "--artist", "Band", "--album", "Roads", "--kind", "podcast", "--artwork-id", "a/1",
      "--duration", "215.5",
    ])
    #expect(ended.status == 0)
    #expect(ended.output == "1x1 file:///leases/a.mp4\n")
    #expect(ended.error == "\(one): Nothing moves.\nsession s\n")
    let id = try SessionSamples.id("s")
    let session = try #require(service.with { $0.board.session(id) })
    let artworkID = try SessionSamples.artwork("a/1")
    #expect(session.application == "app")
    #expect(
      session.content
        == MediaContent(kind: .podcast, title: "Song", subtitle: "Band", collection: "Roads"))
    #expect(session.artwork == [.square: artworkID])
    #expect(session.playback?.duration == .finite(215.5))
    #expect(service.with { $0.artworks } == [ArtworkReference(artworkID, .square): one])
    #expect(service.with { $0.owners.isEmpty })
  }

  @Test(
    "publish --pid has the session end with a process, and a video that does not come is reported")
  func owns() async throws {
    let ended = try await run(["publish", try video("tall.mp4"), "--pid", "4711", "--session", "s"])
    #expect(ended.status == 2)
    #expect(ended.output.isEmpty)
    #expect(ended.error.hasSuffix("3x4: no video: It takes too long.\n"))
    #expect(service.with { Array($0.owners.values) } == [4711])
  }

  @Test("A file that was written anew has another artworkID")
  func namesArtwork() async throws {
    let path = try video("1x1.mp4")
    _ = try await run(["publish", path, "--detach"])
    try Data("other".utf8).write(to: URL(fileURLWithPath: path))
    _ = try await run(["publish", path, "--detach"])
    #expect(service.with { Set($0.artworks.values) } == [path])
    #expect(service.with { $0.artworks.count } == 2)
  }

  @Test("A video that cannot be used is not published")
  func refuses() async throws {
    let ended = try await run(["publish", try video("broken.mp4"), "--key", "1x1", "--detach"])
    #expect(ended.status == 2)
    #expect(ended.error.contains("It holds no video.\n  → Export it again.\n"))
    #expect(service.with { $0.board.sessions.isEmpty })
  }

  @Test("What cannot be meant is a usage error, and nothing is sent")
  func checksUsage() async throws {
    let (one, other) = (try video("1x1.mp4"), try video("square.mp4"))
    for arguments in [
      ["publish"], ["publish", try video("clip.mp4")], ["publish", one, other],
      ["publish", "-"], ["publish", one, "--detach", "--pid", "1"], ["publish", one, "--pid", "0"],
      ["publish", one, "--duration", "nan"], ["publish", one, "--kind", "song"],
      ["publish", one, "--session", ""], ["publish", one, "--connect", "http://127.0.0.1:80"],
      ["now-playing", "--token-file", one], ["now-playing", "--format", "xml"],
    ] {
      #expect(try await run(arguments).status == 64, "\(arguments)")
    }
    #expect(try BuiltTool.run("now-playing --connect ftp://h:1").status == 64)
    #expect(service.with { $0.requests.isEmpty })
  }

  @Test("publish holds its session and its file until Ctrl-C")
  func holds() async throws {
    let service = try await RunningService()
    let player = try RunningTool([
      "publish", Fixture.named("good-1x1.mp4").url.path, "--key", "1x1", "--socket",
      "\(service.local)",
    ])
    #expect(try await eventually { player.output.hasSuffix("\n") })
    let file = try #require(URL(string: String(player.output.dropFirst("1x1 ".count).dropLast())))
    #expect(FileManager.default.fileExists(atPath: file.path))
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    #expect(
      try await client.nowPlaying().shown?.sessionID.text
        == "publish-\(player.process.processIdentifier)")
    player.send(SIGINT)
    #expect(try await eventually { !player.process.isRunning })
    #expect(player.status == 130)
    #expect(try await eventually { !FileManager.default.fileExists(atPath: file.path) })
    #expect(try await client.nowPlaying().sessions.isEmpty)
  }
}
