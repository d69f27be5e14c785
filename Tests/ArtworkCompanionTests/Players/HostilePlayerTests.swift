import ArtworkClients
import TestSupport

@testable import ArtworkCompanion

/// Players that do everything wrong, beside one that does not.
@Suite(.enabled(if: MessageBus.isAvailable, MessageBus.absence)) struct HostilePlayerTests {
  private static let hostile: [[String: BusValue]] = [
    ["Metadata": BusValue.string("none")], ["Metadata": .int64(3)], [:],
    ["Metadata": .dictionary(["xesam:title": .array([.int32(1)], elements: "i")])],
    [
      "Metadata": .dictionary([
        "mpris:artUrl": .string("data:image/png;base64," + String(repeating: "A", count: 1 << 20))
      ])
    ],
    [
      "Metadata": .dictionary(
        Dictionary(uniqueKeysWithValues: (0..<2000).map { ("key\($0)", BusValue.int32($0)) }))
    ],
    ["Rate": .string("fast"), "Position": .double(.nan), "Volume": .strings([])],
  ]

  @Test("metadata of wrong types, too large, with odd URLs, or none") func metadata() async throws {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("bad", on: companion.bus)
    for properties in Self.hostile {
      player.set(
        ["Metadata": .dictionary([:]), "PlaybackStatus": .string("Playing")].merging(properties) {
          $1
        })
      // Nothing is known but the player's own name.
      _ = try await companion.session(titled: "Fake Player")
      player.play("Fine")
      _ = try await companion.session(titled: "Fine")
    }
  }

  @Test(
    "URLs that lead elsewhere find nothing",
    arguments: [
      "data:text/plain,1x1", "file:///%2e%2e/%2e%2e/etc/passwd", "file://host/a", "http://[::1",
      "file://ROOT/../secret/a.flac",
    ])
  func urls(_ url: String) async throws {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("bad", on: companion.bus)
    player.play("T", url: url.replacing("ROOT", with: companion.music.path("").string))
    _ = try await companion.session(titled: "T")
    try await eventually("no reason") {
      companion.said.contains { $0.contains("no artwork: the track is") }
    }
    #expect(try await companion.session()?.artwork.isEmpty == true)
  }

  @Test("a thousand signals cost a few reads") func flood() async throws {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("loud", on: companion.bus)
    player.play("Start")
    _ = try await companion.session(titled: "Start")
    let (reads, began) = (player.reads, ContinuousClock.now)
    for number in 0..<1000 { player.set(["Volume": .double(Double(number))]) }
    player.play("End")
    _ = try await companion.session(titled: "End")
    let most = Int(began.duration(to: .now) / .milliseconds(100)) + 3
    #expect(player.reads - reads <= most)
  }

  @Test("a player that is stopped keeps its session, and nobody waits for it") func stopped()
    async throws
  {
    let companion = try await RunningCompanion()
    let frozen = try Child.player("frozen", on: companion.bus)
    try frozen.send(#"{"PlaybackStatus":"Playing","Metadata":{"xesam:title":"Frozen"}}"#)
    _ = try await companion.session(titled: "Frozen")
    frozen.signal(SIGSTOP)
    let other = try await FakePlayer("other", on: companion.bus)
    other.play("Other")
    try await eventually("the other waits") { try await companion.client.sessions().count == 2 }
    let id = try #require(SessionID("mpris-\(frozen.processID)"))
    let outcome = try await companion.client.perform(.pause, for: .session(id, of: nil))
    #expect(outcome.status == .failed)
    frozen.signal(SIGCONT)
    try frozen.send(#"{"Metadata":{"xesam:title":"Thawed"}}"#)
    try await eventually("not read again") {
      try await companion.client.session(id).session.content?.title == "Thawed"
    }
  }

  @Test("a quick pause and play ends in the last state") func quick() async throws {
    let companion = try await RunningCompanion()
    let player = try await FakePlayer("quick", on: companion.bus)
    player.play("Quick")
    _ = try await companion.session(titled: "Quick")
    for status in ["Paused", "Playing", "Paused", "Playing", "Paused"] {
      player.set(["PlaybackStatus": .string(status)])
    }
    try await eventually("not paused") {
      try await companion.session()?.playback?.state == .paused
    }
    // A change after its signal, as some players have it.
    player.signal()
    player.set(["PlaybackStatus": .string("Playing")], silently: true)
    try await eventually("not read after it came to rest") {
      try await companion.session()?.playback?.state == .playing()
    }
  }
}
