import TestSupport

@testable import ArtworkCompanion

/// A player in this process, whose properties the test sets.
final class FakePlayer: Sendable {
  private struct State {
    var properties: [String: BusValue] = [
      "PlaybackStatus": .string("Stopped"), "CanControl": .boolean(true),
      "CanPlay": .boolean(true), "CanPause": .boolean(true), "CanSeek": .boolean(true),
    ]
    var calls: [String] = []
    var reads = 0
  }

  private final class Box: Sendable { let state = Mutex(State()) }

  private let box = Box()
  private let bus: Bus

  init(_ name: String, on messageBus: MessageBus) async throws {
    bus = try await Bus(messageBus.address) { [box] message in
      guard case .call = message.kind else { return nil }
      return box.state.withLock { state in
        if message.member == "GetAll" {
          guard message.body.first?.text == MPRIS.player else {
            return .values([.dictionary(["Identity": .string("Fake Player")])])
          }
          state.reads += 1
          return .values([.dictionary(state.properties)])
        }
        state.calls.append(
          "\(message.member ?? "")\(message.body.map { " \($0.content)" }.joined())")
        return .values([])
      }
    }
    guard try await bus.request("org.mpris.MediaPlayer2.\(name)") else {
      throw BusError.refused(name: name)
    }
  }

  /// The methods that were called, with their arguments.
  var calls: [String] { box.state.withLock { $0.calls } }
  /// How often its properties were read.
  var reads: Int { box.state.withLock { $0.reads } }

  func set(_ changes: [String: BusValue], silently: Bool = false) {
    box.state.withLock { $0.properties.merge(changes) { $1 } }
    if !silently { signal(changes) }
  }

  func signal(_ changes: [String: BusValue] = [:]) {
    let sent = changes.filter { $0.value.signature != nil }
    bus.emit(
      .signal(
        MPRIS.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string(MPRIS.player), .dictionary(sent), .strings([])]))
  }

  func seek(to seconds: Double) {
    let position = BusValue.int64(Int64(seconds * 1e6))
    set(["Position": position], silently: true)
    bus.emit(.signal(MPRIS.path, MPRIS.player, "Seeked", [position]))
  }

  /// - Parameter more: entries of the metadata, in place of the usual ones.
  func play(
    _ title: String, by artist: String = "An Artist", on album: String = "An Album",
    url: String? = nil, _ more: [String: BusValue] = [:]
  ) {
    var metadata: [String: BusValue] = [
      "mpris:trackid": .objectPath("/track/1"), "mpris:length": .int64(180_000_000),
      "xesam:title": .string(title), "xesam:artist": .strings([artist]),
      "xesam:album": .string(album),
    ]
    metadata["xesam:url"] = url.map(BusValue.string)
    set([
      "PlaybackStatus": .string("Playing"), "Position": .int64(0),
      "Metadata": .dictionary(metadata.merging(more) { $1 }),
    ])
  }
}
