import ArtworkModel
import ArtworkPipeline

/// Messages of the event stream (HTML Living Standard, 9.2.6).
enum EventMessage {
  /// The names of what has changed, and the session as it is now.
  private struct Change: Encodable {
    var sessionID: SessionID?
    var application: String?
    var ended: Bool?
    var scope: SessionRegistry.Scope?
    var session: PublishedSession?
  }

  static let missed = "event: missed\ndata: {}\n\n"
  static let heartbeat = ": keep-alive\n\n"

  /// A message for the owner of a session alone. Without an `id`: it is not sent again to a listener that comes back.
  static func command(_ command: DeliveredCommand) throws -> String { try text("command", command) }

  /// A message for a stream whose session another client has taken over.
  static func replaced(_ session: SessionReference) -> String {
    let change = Change(sessionID: session.id, application: session.application)
    // Two texts can always be encoded.
    return (try? text("replaced", change)) ?? missed
  }

  /// The changed state, as of now.
  static func text(
    _ event: ServiceEvent, _ center: NowPlayingCenter, id: String
  ) throws -> String {
    func published(_ session: SessionID?, _ application: String?) -> PublishedSession? {
      session.flatMap { center.published(SessionReference(application ?? "", $0)) }
    }
    switch event {
    case .session(let session, let application, let ended):
      return try text(
        "session",
        Change(
          sessionID: session, application: application, ended: ended,
          session: ended ? nil : published(session, application)), id)
    case .artwork(let reference, _):
      let name = name(of: reference)
      guard let artwork = center.store.describe(reference) else {
        return try text(
          name, ["artworkID": reference.artworkID.text, "key": reference.part], id)
      }
      return try text(name, artwork, id)
    case .primary(let session, let application, let scope):
      return try text(
        "primary",
        Change(
          sessionID: session, application: application, scope: scope,
          session: published(session, application)), id)
    case .conditions(let conditions): return try text("conditions", conditions, id)
    case .lease(let session, let application, let reference, let rendition, let released):
      let session = SessionReference(application ?? "", session)
      if !released, let lease = center.store.lease(session, reference, rendition: rendition) {
        var record = lease.served
        record.released = false
        return try text("lease", record, id)
      }
      return try text(
        "lease", LeaseRecord(session, reference, rendition: rendition, released: true), id)
    case .nowPlaying(let document): return try text("now-playing", document, id)
    case .command(let command): return try text("command", command)
    case .replaced(let session): return replaced(session)
    case .missed: return missed
    case .unknown: return ""
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
