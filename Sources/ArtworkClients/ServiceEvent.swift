public import ArtworkModel
import FoundationEssentials

/// A change reported by the service. Most events carry only names: request details when you need them.
public enum ServiceEvent: Sendable, Equatable {
  /// The first event of every stream.
  case nowPlaying(NowPlaying)
  case session(SessionID, application: String?, ended: Bool)
  /// A variant or a static cover has changed.
  ///
  /// - Parameter status: `nil` if it was removed, and for a status that only a newer service knows.
  case artwork(ArtworkReference, status: ArtworkStatus?)
  /// - Parameter session: `nil` if no session is left.
  case primary(session: SessionID?, application: String?, SessionRegistry.Scope)
  case conditions(DeviceConditions)
  /// - Parameter rendition: the size of a smaller version; `nil` for the video itself.
  case lease(
    SessionID, application: String?, ArtworkReference, rendition: PixelSize? = nil, released: Bool)
  /// A command for the owner of the session, which answers with ``ArtworkClient/answer(_:_:)``. Only a stream that
  /// holds the session receives it.
  case command(DeliveredCommand)
  /// Events were dropped; request everything again.
  case missed
  /// An event of a newer service, or one with a word that only a newer service knows.
  case unknown(name: String)

  private struct Fields: Decodable {
    var sessionID: SessionID?
    var application: String?
    var ended: Bool?
    var artworkID: ArtworkID?
    var key: String?
    var status: String?
    var scope: String?
    var rendition: PixelSize?
    var released: Bool?
  }

  /// - Throws: `DecodingError`.
  init(_ message: EventStreamParser.Message) throws {
    let json = Data(message.data.utf8)
    func fields() throws -> Fields { try ArtworkClient.decoder.decode(Fields.self, from: json) }
    func needed<T>(_ value: T?, _ name: String) throws -> T {
      guard let value else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: [], debugDescription: "the event \(message.name) lacks \(name)"))
      }
      return value
    }
    func reference(_ fields: Fields) throws -> ArtworkReference? {
      ArtworkReference(
        try needed(fields.artworkID, "artworkID"), part: try needed(fields.key, "key"))
    }
    func document<T: Decodable>(_ event: (T) -> ServiceEvent) -> ServiceEvent? {
      (try? ArtworkClient.decoder.decode(T.self, from: json)).map(event)
    }
    let event: ServiceEvent?
    switch message.name {
    case "now-playing":
      event = document(Self.nowPlaying)
    case "session":
      let fields = try fields()
      event = .session(
        try needed(fields.sessionID, "sessionID"), application: fields.application,
        ended: fields.ended ?? false)
    case "artwork", "cover":
      let fields = try fields()
      event = try reference(fields).map {
        .artwork($0, status: fields.status.flatMap(ArtworkStatus.init))
      }
    case "primary":
      let fields = try fields()
      event = SessionRegistry.Scope(rawValue: try needed(fields.scope, "scope")).map {
        .primary(session: fields.sessionID, application: fields.application, $0)
      }
    case "conditions":
      event = document(Self.conditions)
    case "lease":
      let fields = try fields()
      let session = try needed(fields.sessionID, "sessionID")
      event = try reference(fields).map {
        .lease(
          session, application: fields.application, $0, rendition: fields.rendition,
          released: fields.released ?? false)
      }
    case "command":
      event = document(Self.command)
    case "missed": event = .missed
    default: event = nil
    }
    self = event ?? .unknown(name: message.name)
  }
}
