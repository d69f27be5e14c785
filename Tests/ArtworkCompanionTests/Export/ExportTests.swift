import ArtworkClients
import TestSupport

@testable import ArtworkCompanion

/// Sessions on the desktop, as playerctl sees them.
@Suite(
  .enabled(if: MessageBus.isAvailable && MessageBus.hasClient, "needs dbus-daemon and playerctl"))
struct ExportTests {
  /// A class, because a local `Mutex` cannot be shared with handlers on the main actor.
  private final class Asked: Sendable { let keys = Mutex<[String]>([]) }

  private func playerctl(_ bus: MessageBus, _ arguments: String...) throws -> String {
    try bus.run("playerctl", ["--player=artworkd"] + arguments).output
      .trimmingCharacters(in: .newlines)
  }

  /// A generic D-Bus tool can discover the interfaces of a player, from the root on.
  private func introspect(_ bus: MessageBus) throws {
    let names = try bus.run("playerctl", ["--list-all"]).output.split(separator: "\n")
    let name = try #require(names.first { $0.hasPrefix("artworkd") })
    func busctl(_ arguments: String...) throws -> String {
      let place = ["--address=\(bus.text)"] + arguments
      let ended = try bus.run("busctl", place)
      #expect(ended.status == 0)
      return ended.output
    }
    let service = "org.mpris.MediaPlayer2.\(name)"
    #expect(try busctl("tree", "--list", service).contains("/org/mpris/MediaPlayer2\n"))
    let seen = try busctl("introspect", "--no-legend", service, MPRIS.path)
    #expect(seen.contains(#/\.SetPosition +method +ox +-/#), "\(seen)")
    #expect(seen.contains(#/\.Identity +property +s +"my\.player"/#), "\(seen)")
    #expect(seen.contains(#/\.Ping +method +- +-/#), "\(seen)")
    _ = try busctl("call", service, MPRIS.path, "org.freedesktop.DBus.Peer", "Ping")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/gdbus") else { return }
    let other = try bus.run(
      "gdbus", ["introspect", "--session", "--dest", service, "--object-path", "/", "--recurse"])
    #expect(other.status == 0 && other.output.contains("Seek(in  x Offset);"), "\(other.output)")
    #expect(other.output.contains("readonly s Identity = 'my.player';"), "\(other.output)")
  }

  @Test(
    "a session of the service is a player of the desktop, with its artwork; keys reach its owner")
  func export() async throws {
    let companion = try await RunningCompanion()
    _ = try companion.service.register("album", "good-1x1.mp4")
    let asked = Asked()
    let artworkID = try #require(ArtworkID("album"))
    var session = MediaSession(
      application: "my.player",
      content: .music(songTitle: "Song", artistName: "Artist", albumName: "Album"),
      artwork: [.square: artworkID],
      playback: PlaybackSnapshot(state: .paused, elapsedSeconds: 5, duration: .finite(60)))
    let held = try await companion.client.hold(
      session, as: try #require(SessionID("main")),
      commands: [
        .play { asked.keys.withLock { $0.append("play") } },
        .seekToPosition { place in asked.keys.withLock { $0.append("seek \(place)") } },
      ])
    try await eventually("not exported") {
      try playerctl(companion.bus, "metadata", "xesam:title") == "Song"
    }
    let video = try await eventually("no video") {
      let text = try playerctl(companion.bus, "metadata", "artworkd:video1x1")
      return text.hasPrefix("file://") ? text : nil
    }
    for url in [video, try playerctl(companion.bus, "metadata", "mpris:artUrl")] {
      let path = try #require(URL(string: url)?.path)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(try playerctl(companion.bus, "metadata", "artworkd:artworkID") == "album")
    #expect(try playerctl(companion.bus, "status") == "Paused")
    #expect(try playerctl(companion.bus, "position") == "5.000000")
    try introspect(companion.bus)
    _ = try playerctl(companion.bus, "play")
    _ = try playerctl(companion.bus, "position", "30")
    try await eventually("not asked") { asked.keys.withLock { $0 == ["play", "seek 30.0"] } }
    session.playback?.state = .playing()
    try await held.update(session)
    try await eventually("not playing") { try playerctl(companion.bus, "status") == "Playing" }
    // A player's own session is not exported to the desktop again.
    let player = try await FakePlayer("other", on: companion.bus)
    player.play("Other")
    try await eventually("not imported") { try await companion.client.sessions().count == 2 }
    try await held.end()
    try await eventually("still there") {
      try !companion.bus.run("playerctl", ["--list-all"]).output.contains("artworkd")
    }
    let previews = companion.bus.folder.path("previews").string
    #expect(try FileManager.default.contentsOfDirectory(atPath: previews).isEmpty)
  }
}
