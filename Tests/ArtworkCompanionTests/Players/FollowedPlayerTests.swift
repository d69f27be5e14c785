import ArtworkClients
import TestSupport

@testable import ArtworkCompanion

/// Players become sessions, and commands reach them.
@Suite(.enabled(if: MessageBus.isAvailable, MessageBus.absence)) struct FollowedPlayerTests {
  @Test("a player is a session while it plays: its track, state, jumps and end") func life()
    async throws
  {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("fake.instance7", on: companion.bus)
    #expect(try await companion.client.sessions().isEmpty)
    player.play("One")
    var session = try await companion.session(titled: "One")
    #expect(session.application == "fake")
    #expect(
      session.content == .music(songTitle: "One", artistName: "An Artist", albumName: "An Album"))
    #expect(session.playback?.state == .playing())
    #expect(session.playback?.duration == .finite(180))
    player.set(["PlaybackStatus": .string("Paused"), "Position": .int64(5_000_000)])
    session = try await eventually("not paused") {
      let session = try await companion.session()
      return session?.playback?.state == .paused ? session : nil
    }
    #expect(session.playback?.elapsedSeconds == 5)
    player.seek(to: 90)
    try await eventually("no jump") {
      try await companion.session()?.playback?.elapsedSeconds == 90
    }
    player.set(["PlaybackStatus": .string("Stopped")])
    try await eventually("not ended") { try await companion.client.sessions().isEmpty }
    player.play("Two")
    _ = try await companion.session(titled: "Two")
  }

  @Test("a player that was there before, and the sessions end with the companion") func before()
    async throws
  {
    let bus = try MessageBus()
    let player = try await FakePlayer("early", on: bus)
    player.play("Early")
    let companion = try await RunningCompanion(bus: bus)
    _ = try await companion.session(titled: "Early")
    try await companion.stop()
    try await eventually("not ended") { try await companion.client.sessions().isEmpty }
    withExtendedLifetime(player) {}
  }

  @Test("artwork beside the track; an album keeps its ID, and a session its file") func artwork()
    async throws
  {
    let companion = try await RunningCompanion()
    try companion.music.copy(Fixture.named("good-1x1.mp4"), to: "Album/1x1.mp4")
    let player = try await FakePlayer("fake", on: companion.bus)
    // mpDris2 leaves spaces in URLs.
    let url = "file://\(companion.music.path("Album").string)/A Song.flac"
    player.play("One", url: url)
    let first = try await eventually("no artwork") {
      try await companion.session()?.artwork[.square]
    }
    let published = try #require(try await companion.client.sessions().first)
    let answer = try await companion.client.video(
      for: published.id, .square, size: PixelSize(width: 100, height: 100))
    player.play("Two", url: url)
    let second = try await companion.session(titled: "Two")
    #expect(second.artwork == [.square: first])
    let path = try #require(answer.url.flatMap { URL(string: $0) }).path
    #expect(FileManager.default.fileExists(atPath: path))
    // Another album has none.
    player.play("Three", url: "file:///elsewhere/a.flac")
    _ = try await companion.session(titled: "Three")
    try await eventually("the lease stays") { !FileManager.default.fileExists(atPath: path) }
    #expect(try await companion.session()?.artwork.isEmpty == true)
    #expect(
      companion.said.contains("fake: Three: no artwork: the track is outside the music folders"))
  }

  @Test("artwork and cover are published before the videos were inspected") func preparing()
    async throws
  {
    let inspector = ScriptedInspector()
    inspector.delay = 60
    let companion = try await RunningCompanion(inspector: inspector)
    try companion.music.copy(Fixture.named("good-1x1.mp4"), to: "Album/1x1.mp4")
    try companion.music.copy(Fixture.named("cover.jpg"), to: "Album/cover.jpg")
    let player = try await FakePlayer("fake", on: companion.bus)
    player.play("One", url: "file://\(companion.music.path("Album").string)/A Song.flac")
    let artwork = try await eventually("no artwork") {
      try await companion.session()?.artwork[.square]
    }
    #expect(try await companion.client.nowPlaying().shown?.cover == artwork)
    #expect(inspector.delay == 60)
    // Artwork that was stored then remains.
    inspector.delay = 0
    try await eventually("not ready") {
      try await companion.client.artwork(ArtworkReference(artwork, .square)).status == .ready
    }
    #expect(try await companion.session()?.artwork == [.square: artwork])
    withExtendedLifetime(player) {}
  }

  /// A cover in a music file has 20 to 500 kB.
  @Test("a cover that a player sends is the session's, whatever its size and its title's")
  func sentCovers() async throws {
    let companion = try await RunningCompanion {
      let folder = $0.previews
      $0.places.sent = folder
    }
    let player = try await FakePlayer("sender", on: companion.bus)
    let picture = try Data(contentsOf: Fixture.named("cover.jpg").url)
    var known: Set<ArtworkID> = []
    for (number, size) in [1500, 32 << 10, 1 << 20].enumerated() {
      // What follows a picture is none of its matter.
      let sent = picture + Data(repeating: UInt8(number), count: max(0, size - picture.count))
      let scheme = number == 0 ? "DATA" : "data"
      let url = "\(scheme):image/jpeg;base64,\(sent.base64EncodedString())"
      let title = String(repeating: "\(number)", count: 20_000)
      player.play(title, ["mpris:artUrl": .string(url)])
      let session = try await companion.session(titled: MediaContent.line(title))
      known.insert(try #require(session.cover))
    }
    #expect(known.count == 3)
    player.play("Broken", ["mpris:artUrl": .string("data:image/png;base64,AAAA")])
    #expect(try await companion.session(titled: "Broken").cover == nil)
    #expect(companion.said.contains { $0.contains("its data: URL holds no") })
  }

  @Test("a session for each process, whatever its names and track IDs") func processes()
    async throws
  {
    let companion = try await RunningCompanion()
    let both = #"{"PlaybackStatus":"Playing","Metadata":{"mpris:trackid":"/0","xesam:title":"T"}}"#
    let one = try Child.player("vlc", "vlc.instance1", on: companion.bus)
    let two = try Child.player("mpv", on: companion.bus)
    for player in [one, two] { try player.send(both) }
    try await eventually("not two sessions") {
      try await companion.client.sessions().count == 2
    }
    let sessions = try await companion.client.sessions()
    #expect(Set(sessions.map(\.id.text)) == ["mpris-\(one.processID)", "mpris-\(two.processID)"])
    #expect(Set(sessions.map(\.session.application)) == ["vlc", "mpv"])
    one.kill()
    try await eventually("vlc stays") { try await companion.client.sessions().count == 1 }
    #expect(try await companion.session()?.application == "mpv")
  }

  @Test("commands reach the player") func commands() async throws {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("fake", on: companion.bus)
    player.set(
      [
        "LoopStatus": .string("None"), "Shuffle": .boolean(false), "CanGoNext": .boolean(true),
        "MinimumRate": .double(0.5), "MaximumRate": .double(2),
      ], silently: true)
    player.play("One")
    let session = try await companion.session(titled: "One")
    #expect(session.commands[.next]?.isEnabled == true)
    #expect(session.commands[.previous]?.isEnabled == false)
    #expect(session.commands[.changeRepeatMode]?.repeatMode == .off)
    #expect(session.commands[.like] == nil)
    for (command, call) in Self.calls {
      let outcome = try await companion.client.perform(command)
      #expect(outcome.status == .success, "\(command)")
      #expect(player.calls.last == call)
    }
    // A command that a player does not support is reported.
    player.set(["CanControl": .boolean(false)])
    try await eventually("still controlled") {
      try await companion.session()?.commands.isEmpty == true
    }
  }

  private static let calls: [(RequestedCommand, String)] = [
    (.pause, "Pause"), (.next, "Next"), (.togglePlayPause, "PlayPause"), (.stop, "Stop"),
    (
      .skipForward(interval: 30),
      "Seek integer(30000000, ArtworkCompanion.BusValue.IntegerType.int64)"
    ),
    (
      .seekToPosition(90),
      "SetPosition objectPath(\"/track/1\") integer(90000000, ArtworkCompanion.BusValue.IntegerType.int64)"
    ),
    (
      .changeRepeatMode(.all),
      "Set string(\"org.mpris.MediaPlayer2.Player\") string(\"LoopStatus\") string(\"Playlist\")"
    ),
    (
      .changeShuffleMode(.items),
      "Set string(\"org.mpris.MediaPlayer2.Player\") string(\"Shuffle\") boolean(true)"
    ),
    (
      .changePlaybackRate(1.5),
      "Set string(\"org.mpris.MediaPlayer2.Player\") string(\"Rate\") double(1.5)"
    ),
  ]

  @Test("a position is for its track: nothing is sought in the next one") func staleSeek()
    async throws
  {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("fake", on: companion.bus)
    player.play("One")
    _ = try await companion.session(titled: "One")
    // The player has moved on without sending a signal yet.
    player.set(
      [
        "Metadata": .dictionary([
          "mpris:trackid": .objectPath("/track/2"), "xesam:title": .string("Two"),
        ])
      ], silently: true)
    let outcome = try await companion.client.perform(.seekToPosition(60))
    #expect(outcome.status == .noSuchContent)
    #expect(player.calls.isEmpty)
  }

  @Test("a session that somebody ended stays ended until the next track") func dismissed()
    async throws
  {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("fake", on: companion.bus)
    player.play("One")
    _ = try await companion.session(titled: "One")
    let id = try #require(try await companion.client.sessions().first).id
    try await companion.client.end(id)
    player.signal()
    let reads = player.reads
    try await eventually("not read again") { player.reads > reads }
    player.signal()
    try await eventually("not read again") { player.reads > reads + 1 }
    #expect(try await companion.client.sessions().isEmpty)
    player.play("Two")
    _ = try await companion.session(titled: "Two")
  }

  @Test("one companion for a desktop, and it ends with the bus") func single() async throws {
    let companion = try await RunningCompanion()
    let second = Companion(
      Companion.Options(places: .init(music: []), previews: "/nonexistent").with(companion.bus),
      companion.client
    ) { _ in }
    await #expect { try await second.run() } throws: { error in
      if case .alreadyRunning? = error as? Companion.Failure { true } else { false }
    }
    companion.bus.stop()
    await #expect { try await companion.untilEnded() } throws: { error in
      if case .bus(.lost)? = error as? Companion.Failure { true } else { false }
    }
  }
}

extension Companion.Options {
  fileprivate func with(_ bus: MessageBus) -> Companion.Options {
    var options = self
    (options.session, options.system) = (bus.address, bus.address)
    return options
  }
}
