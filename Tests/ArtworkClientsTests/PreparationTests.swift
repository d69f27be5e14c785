import ArtworkClients
import TestSupport

/// Preparation before publishing, by the table that the clients for Python and C pass, too.
@Suite(.timeLimit(.minutes(5))) struct PreparationTests {
  private struct Table: Decodable { var videos: [Case] }

  private struct Case: Decodable {
    var source: String
    var codecs: Set<String>?
    /// Whether a version is made.
    var rendition: Bool?
    /// Why there is no video.
    var reason: String?
  }

  private static let box = PixelSize(width: 4000, height: 4000)

  /// `nil` if it is refused.
  private static func prepared(
    _ artwork: ArtworkReference, _ row: Case, by client: ArtworkClient
  ) async throws -> PreparedVideo? {
    do {
      return try await client.prepare(artwork, size: box, videoCodecs: row.codecs)
    } catch  where error.code == "refused" {
      return nil
    }
  }

  @Test func `a session gets what was prepared for it`() async throws {
    let service = try await RunningService(clipMaker: Inspector())
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let table = Checkout.root.appendingPathComponent("Integrations/clients/tests/cases.json")
    let cases = try JSONDecoder().decode(Table.self, from: Data(contentsOf: table)).videos
    #expect(cases.count > 10)
    for (number, row) in cases.enumerated() {
      let place = "\(row)"
      let id = try SessionSamples.artwork("case-\(number)")
      let artwork = ArtworkReference(id, .square)
      _ = try await client.put(artwork, .file(path: Fixture.named(row.source).url.path))
      let prepared = try await Self.prepared(artwork, row, by: client)
      #expect((prepared == nil) == (row.reason != nil), "\(place)")
      #expect(prepared.map { $0.rendition != nil } == row.rendition, "\(place)")
      let held = try await client.hold(
        MediaSession(application: "app", artwork: [.square: id], videoCodecs: row.codecs),
        as: SessionSamples.id("case-\(number)"))
      let answer = try await held.video(.square, size: Self.box)
      if let url = answer.url.flatMap({ URL(string: $0) }) {
        #expect(Int64(try Data(contentsOf: url).count) == prepared?.bytes, "\(place)")
        #expect(answer.bytes == prepared?.bytes && row.reason == nil, "\(place)")
      } else {
        #expect(answer.reason.code == row.reason, "\(place)")
      }
      try await held.end()
    }
  }
}
