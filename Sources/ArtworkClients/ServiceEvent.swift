import ArtworkModel
import FoundationEssentials

extension ServiceEvent {
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
    func fields() throws -> Fields { try JSONDecoder().decode(Fields.self, from: json) }
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
      (try? JSONDecoder().decode(T.self, from: json)).map(event)
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
    case "replaced":
      let fields = try fields()
      event = .replaced(
        SessionReference(
          try needed(fields.application, "application"), try needed(fields.sessionID, "sessionID")))
    case "missed": event = .missed
    default: event = nil
    }
    self = event ?? .unknown(name: message.name)
  }
}
