import ArtworkModel
import ArtworkPipeline
import ArtworkStore

/// Messages of the event stream (HTML Living Standard, 9.2.6).
enum EventMessage {
  private struct Session: Encodable {
    var sessionID: SessionID
    var ended: Bool
  }

  private struct Artwork: Encodable {
    var artworkID: ArtworkID
    var key: ArtworkKey
    var status: ArtworkStatus?
  }

  private struct Primary: Encodable {
    var sessionID: SessionID?
    var scope: SessionBoard.Scope
  }

  private struct LeaseChange: Encodable {
    var sessionID: SessionID
    var artworkID: ArtworkID
    var key: ArtworkKey
    var released: Bool
  }

  private struct Nothing: Encodable {}

  static let missed = "event: missed\ndata: {}\n\n"
  static let heartbeat = ": still here\n\n"

  static func nowPlaying(_ document: NowPlaying) throws -> String {
    try text("now-playing", document)
  }

  /// - Parameter conditions: the current ones.
  static func text(
    _ event: NowPlayingCenter.Event, conditions: DeviceConditions
  ) throws -> String {
    switch event {
    case .session(let id, let ended):
      try text("session", Session(sessionID: id, ended: ended))
    case .artwork(let reference, let status):
      try text(
        "artwork",
        Artwork(artworkID: reference.artworkID, key: reference.key, status: status))
    case .primary(let id, let scope): try text("primary", Primary(sessionID: id, scope: scope))
    case .conditions: try text("conditions", conditions)
    case .lease(let id, let reference, let released):
      try text(
        "lease",
        LeaseChange(
          sessionID: id, artworkID: reference.artworkID, key: reference.key, released: released))
    case .missed: missed
    }
  }

  /// The JSON has no line breaks, so one line of data is enough.
  private static func text(_ name: String, _ value: some Encodable) throws -> String {
    "event: \(name)\ndata: \(String(decoding: try JSON.bytes(value), as: UTF8.self))\n\n"
  }
}
