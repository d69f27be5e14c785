import TestSupport

@testable import ArtworkCompanion

/// Metadata and properties as players send them, and as they should not.
@Suite struct TrackTests {
  @Test("a track as players describe it") func usual() {
    let track = Track([
      "mpris:trackid": .objectPath("/0"), "mpris:length": .int64(180_500_000),
      "xesam:title": .string(" Night Drive\n"), "xesam:artist": .strings(["A", "", " B "]),
      "xesam:album": .string("Roads"), "xesam:url": .string("file:///music/a.flac"),
    ])
    #expect(track.id == "/0")
    #expect(track.seconds == 180.5)
    #expect(
      track.content
        == .music(songTitle: "Night Drive", artistName: "A, B", albumName: "Roads"))
    let opera = Track([
      "xesam:title": .string("Act I"), "xesam:composer": .strings(["Ada", "Ben"]),
      "xesam:genre": .strings(["Opera", ""]),
    ])
    #expect(opera.content?.composer == "Ada, Ben" && opera.content?.genre == "Opera")
  }

  @Test(
    "a length of any number type; none that is absurd",
    arguments: [
      (BusValue.integer(2_000_000, .uint64), 2.0), (.int32(2_000_000), 2), (.double(2e6), 2),
      (.variant(.int64(2_000_000)), 2), (.int64(0), nil), (.int64(-1), nil), (.int64(.max), nil),
      (.double(.nan), nil), (.double(.infinity), nil), (.string("2000000"), nil), (.omitted, nil),
    ] as [(BusValue, Double?)])
  func length(_ value: BusValue, _ seconds: Double?) {
    #expect(Track(["mpris:length": value]).seconds == seconds)
  }

  @Test("wrong types are left out, one by one") func wrongTypes() {
    let track = Track([
      "mpris:trackid": .int64(4), "xesam:title": .strings(["no"]), "xesam:artist": .string("One"),
      "xesam:album": .dictionary([:]), "xesam:albumArtist": .array([.int32(1)], elements: "i"),
      "xesam:url": .boolean(true),
    ])
    #expect(track.id == nil)
    #expect(track.title == nil)
    #expect(track.artists == ["One"])
    #expect(track.album == nil)
    #expect(track.url == nil)
    #expect(track.content == nil)
  }

  @Test(
    "without a title, the file's name is one",
    arguments: [
      ("file:///music/Night%20Drive.flac", "Night Drive.flac"), ("file:///m/a b.mp3", "a b.mp3"),
      ("https://example.org/live?x=/y", "live"), ("file:///100%.mp3", "100%.mp3"),
      ("data:image/png;base64,AAAA/BBBB", nil), ("", nil), ("///", nil),
    ] as [(String, String?)])
  func names(_ url: String, _ title: String?) {
    #expect(Track(["xesam:url": .string(url)]).content?.title == title)
  }

  @Test("long texts are cut to what the service takes") func longTexts() {
    let long = String(repeating: "é", count: 4095) + "abc"
    let content = Track(["xesam:title": .string(long), "xesam:album": .string(long)]).content
    #expect(content?.title.unicodeScalars.count == MediaContent.longestLine)
    #expect(content?.collection?.unicodeScalars.count == MediaContent.longestLine)
    let cast = (0..<100).map { "Singer \($0)" }
    #expect(Track(["xesam:artist": .strings(cast)]).artists.count == 16)
  }

  @Test("the properties of a player") func properties() {
    let state = PlayerState([
      "PlaybackStatus": .string("Playing"), "Rate": .double(1.5), "Position": .int64(3_000_000),
      "LoopStatus": .string("Track"), "Shuffle": .boolean(true), "MinimumRate": .double(0.5),
      "MaximumRate": .double(2), "CanPlay": .boolean(true), "CanGoNext": .boolean(false),
      "Metadata": .dictionary(["mpris:length": .int64(10_000_000)]),
    ])
    #expect(state.abilities == [.control, .play])
    #expect(state.rates == 0.5...2)
    #expect(state.loop == .track)
    #expect(state.shuffle == true)
    #expect(
      state.playback(at: 100)
        == PlaybackSnapshot(
          state: .playing(rate: 1.5), elapsedSeconds: 3, timestamp: 100, duration: .finite(10)))
  }

  @Test("properties of other types or out of range have their defaults") func oddProperties() {
    #expect(PlayerState([:]).status == .stopped)
    let state = PlayerState([
      "PlaybackStatus": .string("Playing"), "Rate": .double(.nan), "Position": .double(-1e300),
      "LoopStatus": .string("Sometimes"), "Shuffle": .string("yes"), "MinimumRate": .double(4),
      "MaximumRate": .double(2), "CanControl": .boolean(false), "CanPlay": .boolean(true),
      "Metadata": .string("none"),
    ])
    #expect(state.rate == 1)
    #expect(state.position == 0)
    #expect(state.loop == nil)
    #expect(state.shuffle == nil)
    #expect(state.rates == nil)
    #expect(state.abilities.isEmpty)
    #expect(state.track == Track([:]))
    let beyond = PlayerState([
      "PlaybackStatus": .string("Playing"), "Rate": .double(0), "Position": .int64(.max),
      "Metadata": .dictionary(["mpris:length": .int64(9_000_000)]),
    ])
    #expect(beyond.status == .paused)
    #expect(beyond.position == 9)
  }

  @Test("a position that follows from the last one is no news") func sameness() {
    func session(_ elapsed: Double, at time: Double, _ title: String = "A") -> MediaSession {
      MediaSession(
        application: "a", content: MediaContent(kind: .music, title: title),
        playback: PlaybackSnapshot(
          state: .playing(), elapsedSeconds: elapsed, timestamp: time, duration: .finite(100)))
    }
    let old = session(10, at: 1000)
    #expect(FollowedPlayer.isSame(session(15.5, at: 1005), old, tolerance: 1))
    #expect(!FollowedPlayer.isSame(session(15.5, at: 1005), old, tolerance: 0.1))
    #expect(!FollowedPlayer.isSame(session(40, at: 1005), old, tolerance: 1))
    #expect(!FollowedPlayer.isSame(session(15, at: 1005, "B"), old, tolerance: 1))
  }

  @Test(
    "names of players",
    arguments: [
      ("org.mpris.MediaPlayer2.vlc", "vlc"), ("org.mpris.MediaPlayer2.vlc.instance12", "vlc"),
      ("org.mpris.MediaPlayer2.playerctld", nil),
      ("org.mpris.MediaPlayer2.artworkd.instance1", nil),
      ("org.mpris.MediaPlayer2.artworkdish", "artworkdish"), ("org.mpris.MediaPlayer3.x", nil),
      (":1.5", nil),
    ] as [(String, String?)])
  func players(_ name: String, _ program: String?) {
    #expect(MPRIS.isPlayer(name) == (program != nil))
    if let program { #expect(MPRIS.program(name) == program) }
  }
}
