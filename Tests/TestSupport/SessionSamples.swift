package import ArtworkModel
import ArtworkPipeline
import Foundation
import Testing

/// Sessions and identifiers for the tests of this folder.
package enum SessionSamples {
  package static func session(
    _ application: String = "player", title: String? = "Song",
    playing state: PlaybackSnapshot.State? = nil, artwork: [ArtworkKey: ArtworkID] = [:]
  ) -> MediaSession {
    MediaSession(
      application: application,
      content: title.map { MediaContent(kind: .music, title: $0) }, artwork: artwork,
      playback: state.map { PlaybackSnapshot(state: $0) })
  }

  package static func id(_ text: String) throws -> SessionID { try #require(SessionID(text)) }
  package static func artwork(_ text: String) throws -> ArtworkID { try #require(ArtworkID(text)) }

  package static func decode<T: Decodable>(_ type: T.Type = T.self, _ json: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  /// With the fields of objects in the order of their names.
  package static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension SessionRegistry {
  /// The only session of a name.
  package func session(_ id: SessionID) -> MediaSession? {
    (try? reference(id)).flatMap { sessions[$0] }
  }
}
