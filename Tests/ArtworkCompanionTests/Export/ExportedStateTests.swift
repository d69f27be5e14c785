import TestSupport

@testable import ArtworkCompanion

/// The exported view of a session, and the calls that it accepts.
@Suite struct ExportedStateTests {
  private func state(_ change: (inout ExportedState) -> Void = { _ in }) -> ExportedState {
    var state = ExportedState(
      application: "app", content: .music(songTitle: "S", artistName: "A", albumName: "B"),
      playback: PlaybackSnapshot(
        state: .playing(rate: 2), elapsedSeconds: 10, timestamp: 1000, duration: .finite(100)),
      commands: [
        .play: OfferedCommand(), .pause: OfferedCommand(), .next: OfferedCommand(isEnabled: false),
        .seekToPosition: OfferedCommand(),
      ], track: 3)
    change(&state)
    return state
  }

  private func call(
    _ member: String, _ body: [BusValue] = [], interface: String = MPRIS.player
  ) -> BusMessage {
    BusMessage(
      kind: .call(wantsReply: true), sender: ":1.2", path: MPRIS.path, interface: interface,
      member: member, body: body)
  }

  @Test("properties") func properties() {
    let properties = state { $0.artwork.preview = "file:///p.png" }.player
    #expect(properties["PlaybackStatus"] == .string("Playing"))
    #expect(properties["Rate"] == .double(2))
    #expect(properties["CanControl"] == .boolean(true))
    #expect(properties["CanGoNext"] == .boolean(false))
    #expect(properties["CanSeek"] == .boolean(true))
    let metadata = properties["Metadata"]?.dictionary
    #expect(metadata?["mpris:trackid"] == .objectPath("/org/artworkd/track/3"))
    #expect(metadata?["mpris:length"] == .int64(100_000_000))
    #expect(metadata?["xesam:artist"] == .strings(["A"]))
    #expect(metadata?["mpris:artUrl"] == .string("file:///p.png"))
    #expect(state().position(at: 1005) == .int64(20_000_000))
    #expect(ExportedState(application: "a").player["PlaybackStatus"] == .string("Stopped"))
    #expect(ExportedState(application: "a").player["CanControl"] == .boolean(false))
  }

  @Test func `composer, genre and what is explicit are exported where they are known`() {
    let metadata = state {
      $0.content?.composer = "Ada"
      $0.content?.genre = "Jazz"
      $0.content?.isExplicit = false
    }.player["Metadata"]?.dictionary
    #expect(metadata?["xesam:composer"] == .strings(["Ada"]))
    #expect(metadata?["xesam:genre"] == .strings(["Jazz"]))
    #expect(metadata?["artworkd:isExplicit"] == .boolean(false))
    let none = state().player["Metadata"]?.dictionary
    for entry in ["xesam:composer", "xesam:genre", "artworkd:isExplicit"] {
      #expect(none?[entry] == nil)
    }
  }

  @Test(
    "calls become commands",
    arguments: [
      ("Play", [], RequestedCommand.play), ("PlayPause", [], .togglePlayPause), ("Next", [], .next),
      ("Seek", [BusValue.int64(5_000_000)], .seekToPosition(15)),
      ("Seek", [.int64(-60_000_000)], .seekToPosition(0)), ("Seek", [.int64(.max)], .next),
      (
        "SetPosition", [.objectPath("/org/artworkd/track/3"), .int64(50_000_000)],
        .seekToPosition(50)
      ),
    ])
  func commands(_ member: String, _ body: [BusValue], _ command: RequestedCommand) {
    #expect(state().reaction(to: call(member, body), at: 1000) == .request(command))
  }

  @Test("a toggle stands in for what is not offered, and only where it has that effect")
  func toggles() {
    func reaction(_ member: String, _ playing: PlaybackSnapshot.State) -> ExportedState.Reaction {
      state {
        $0.commands = [.togglePlayPause: OfferedCommand()]
        $0.playback?.state = playing
      }.reaction(to: call(member), at: 1000)
    }
    #expect(reaction("Pause", .playing()) == .request(.togglePlayPause))
    #expect(reaction("Pause", .paused) == .nothing)
    #expect(reaction("Play", .paused) == .request(.togglePlayPause))
    #expect(reaction("Play", .playing()) == .nothing)
  }

  @Test("a position of another track, out of range, or of another type does nothing")
  func positions() {
    for body in [
      [.objectPath("/org/artworkd/track/2"), .int64(50_000_000)],
      [.objectPath("/org/artworkd/track/3"), .int64(-1)],
      [.objectPath("/org/artworkd/track/3"), .int64(100_000_001)],
      [.int64(3), .string("x")], [],
    ] as [[BusValue]] {
      #expect(state().reaction(to: call("SetPosition", body), at: 1000) == .nothing)
    }
  }

  @Test("what it states in its introspection is what it serves") func introspection() throws {
    let whole = state {
      $0.desktopFile = DesktopFile(entry: "app", name: "App")
      $0.commands[.changeRepeatMode] = OfferedCommand(repeatMode: .off)
      $0.commands[.changeShuffleMode] = OfferedCommand(shuffleMode: .off)
    }
    let ask = call("Introspect", interface: "org.freedesktop.DBus.Introspectable")
    guard case .answer(.values(let values)) = whole.reaction(to: ask, at: 0) else {
      Issue.record("no answer")
      return
    }
    let text = try #require(values.first?.text)
    func names(_ kind: String, of interface: String) throws -> Set<String> {
      let part = try #require(text.firstRange(of: "<interface name=\"\(interface)\">"))
      let end = try #require(text[part.upperBound...].firstRange(of: "</interface>"))
      let lines = text[part.upperBound..<end.lowerBound].split(separator: "\n")
      let start = "  <\(kind) name=\""
      return Set(
        lines.filter { $0.hasPrefix(start) }.map {
          String($0.dropFirst(start.count).prefix { $0 != "\"" })
        })
    }
    #expect(try names("property", of: MPRIS.root) == Set(whole.root.keys))
    #expect(try names("property", of: MPRIS.player) == Set(whole.player.keys).union(["Position"]))
    for member in try names("method", of: MPRIS.player) {
      let asked = call(member, [.int64(1), .int64(1)])
      #expect(whole.reaction(to: asked, at: 0) != .answer(.unknown(asked)), "\(member)")
    }
    // The objects on the path to it are listed, and no others.
    func answer(at path: String) -> ExportedState.Reaction {
      var asked = ask
      asked.path = path
      return whole.reaction(to: asked, at: 0)
    }
    guard case .answer(.values(let root)) = answer(at: "/") else {
      Issue.record("no answer at the root")
      return
    }
    #expect(root.first?.text?.contains(#"<node name="org"/>"#) == true)
    guard case .answer(.error) = answer(at: "/org/other") else {
      Issue.record("an object that is not there")
      return
    }
  }

  @Test("settings, unknown methods and other objects") func others() {
    func set(_ name: String, _ value: BusValue) -> ExportedState.Reaction {
      state().reaction(
        to: call(
          "Set", [.string(MPRIS.player), .string(name), .variant(value)],
          interface: "org.freedesktop.DBus.Properties"), at: 0)
    }
    #expect(set("LoopStatus", .string("Track")) == .request(.changeRepeatMode(.one)))
    #expect(set("Shuffle", .boolean(true)) == .request(.changeShuffleMode(.items)))
    #expect(set("Rate", .double(1.5)) == .request(.changePlaybackRate(1.5)))
    #expect(set("Rate", .double(0)) == .nothing)
    #expect(set("LoopStatus", .int64(1)) == .nothing)
    guard case .answer(.error) = set("Metadata", .string("")),
      case .answer(.error) = state().reaction(to: call("Explode"), at: 0),
      case .answer(.error) = state().reaction(to: call("Raise", interface: MPRIS.root), at: 0)
    else {
      Issue.record("no error")
      return
    }
    var elsewhere = call("Play")
    elsewhere.path = "/"
    #expect(state().reaction(to: elsewhere, at: 0) == .answer(.unknown(elsewhere)))
  }
}
