import ArtworkModel
import ArtworkPipeline
import ArtworkStore

/// Messages of the event stream (HTML Living Standard, 9.2.6).
enum EventMessage {
  private struct Session: Encodable {
    var sessionID: SessionID
    var application: String
    var ended: Bool
    /// `nil` if it has ended.
    var session: PublishedSession?
  }

  private struct RemovedArtwork: Encodable {
    var artworkID: ArtworkID
    var key: String
  }

  private struct Primary: Encodable {
    var sessionID: SessionID?
    var application: String?
    var scope: SessionRegistry.Scope
    var session: PublishedSession?
  }

  private struct ReleasedLease: Encodable {
    var sessionID: SessionID
    var application: String
    var artworkID: ArtworkID
    var key: String
    /// The size of a rendition.
    var rendition: PixelSize?
    var released = true
  }

  /// The document of the lease, and that it is not released.
  private struct NewLease: Encodable {
    private enum CodingKeys: String, CodingKey { case released }

    var lease: LeaseMessage

    func encode(to encoder: any Encoder) throws {
      try lease.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(false, forKey: .released)
    }
  }

  static let missed = "event: missed\ndata: {}\n\n"
  static let heartbeat = ": keep-alive\n\n"

  static func nowPlaying(_ document: NowPlaying, id: String) throws -> String {
    try text("now-playing", document, id)
  }

  /// A message for the owner of a session alone. Without an `id`: it is not sent again to a listener that comes back.
  static func command(_ command: DeliveredCommand) throws -> String { try text("command", command) }

  /// The changed state, as of now.
  static func text(
    _ event: NowPlayingCenter.Event, _ center: NowPlayingCenter, id: String
  ) throws -> String {
    switch event {
    case .session(let session, let ended):
      try text(
        "session",
        Session(
          sessionID: session.id, application: session.application, ended: ended,
          session: ended ? nil : center.published(session)), id)
    case .artwork(let reference, _):
      if let artwork = center.store.describe(reference) {
        try text(name(of: reference), ArtworkDocument(artwork, withReport: false), id)
      } else {
        try text(
          name(of: reference),
          RemovedArtwork(artworkID: reference.artworkID, key: reference.part), id)
      }
    case .primary(let session, let scope):
      try text(
        "primary",
        Primary(
          sessionID: session?.id, application: session?.application, scope: scope,
          session: session.flatMap(center.published)), id)
    case .noPrimary(let application):
      try text("primary", Primary(application: application, scope: .application), id)
    case .conditions: try text("conditions", center.conditions, id)
    case .lease(let session, let reference, let rendition, let released):
      if !released, let lease = center.store.lease(session, reference, rendition: rendition) {
        try text("lease", NewLease(lease: LeaseMessage(lease)), id)
      } else {
        try text(
          "lease",
          ReleasedLease(
            sessionID: session.id, application: session.application,
            artworkID: reference.artworkID, key: reference.part, rendition: rendition), id)
      }
    }
  }

  /// Clients of before covers know two keys.
  private static func name(of reference: ArtworkReference) -> String {
    reference.key == nil ? "cover" : "artwork"
  }

  /// The JSON has no line breaks, so one line of data is enough.
  private static func text(_ name: String, _ value: some Encodable, _ id: String) throws -> String {
    "id: \(id)\n" + (try text(name, value))
  }

  private static func text(_ name: String, _ value: some Encodable) throws -> String {
    "event: \(name)\ndata: \(String(decoding: try JSON.bytes(value), as: UTF8.self))\n\n"
  }
}
