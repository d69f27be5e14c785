public import ArtworkModel
import FoundationEssentials

/// A change reported by the service. Most events carry only names: request details when you need them.
public enum ServiceEvent: Sendable, Equatable {
  /// The first event of every stream.
  case nowPlaying(NowPlaying)
  case session(SessionID, application: String?, ended: Bool)
  /// A variant or a static cover has changed.
  ///
  /// - Parameter status: `nil` if it was removed.
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
  /// An event of a newer service.
  case unknown(name: String)

  private struct Fields: Decodable {
    var sessionID: SessionID?
    var application: String?
    var ended: Bool?
    var artworkID: ArtworkID?
    var key: String?
    var status: ArtworkStatus?
    var scope: SessionRegistry.Scope?
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
    func reference(_ fields: Fields) throws -> ArtworkReference {
      let artworkID = try needed(fields.artworkID, "artworkID")
      return try needed(
        ArtworkReference(artworkID, part: try needed(fields.key, "key")), "a known key")
    }
    switch message.name {
    case "now-playing":
      self = .nowPlaying(try ArtworkClient.decoder.decode(NowPlaying.self, from: json))
    case "session":
      let fields = try fields()
      self = .session(
        try needed(fields.sessionID, "sessionID"), application: fields.application,
        ended: fields.ended ?? false)
    case "artwork", "cover":
      let fields = try fields()
      self = .artwork(try reference(fields), status: fields.status)
    case "primary":
      let fields = try fields()
      self = .primary(
        session: fields.sessionID, application: fields.application,
        try needed(fields.scope, "scope"))
    case "conditions":
      self = .conditions(try ArtworkClient.decoder.decode(DeviceConditions.self, from: json))
    case "lease":
      let fields = try fields()
      self = .lease(
        try needed(fields.sessionID, "sessionID"), application: fields.application,
        try reference(fields), rendition: fields.rendition,
        released: fields.released ?? false)
    case "command":
      self = .command(try ArtworkClient.decoder.decode(DeliveredCommand.self, from: json))
    case "missed": self = .missed
    default: self = .unknown(name: message.name)
    }
  }
}
