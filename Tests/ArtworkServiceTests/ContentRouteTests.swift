import TestSupport

@testable import ArtworkClients
@testable import ArtworkService

/// The fields of an item, over HTTP.
@Suite(.serialized) struct ContentRouteTests {
  private static let film = """
    {"application":"app","content":{"kind":"movie","title":"Tide","id":"film/1","mediaType":"video",\
    "durationSeconds":100,"contentRating":"PG","description":"Water.",\
    "chapters":[{"title":"Low","startSeconds":0},{"title":"High","startSeconds":50}],\
    "metadata":[{"identifier":"title","value":"Flut","language":"de"},\
    {"identifier":"title","value":"Tide"},\
    {"identifier":"description","value":"Wasser.","language":"de-AT"}]},\
    "playback":{"state":"playing","elapsedSeconds":10,"timestamp":1000,"durationSeconds":90}}
    """

  private func shown(
    _ client: RawClient, _ languages: String? = nil
  ) throws -> [String: Any] {
    let headers = languages.map { ["Accept-Language": $0] } ?? [:]
    let document = try client.ask("GET", "/v1/now-playing", headers).json()
    return try #require(document["shown"] as? [String: Any])
  }

  private func metadata(_ shown: [String: Any]) -> [String: String] {
    let items = shown["metadata"] as? [[String: String]] ?? []
    return Dictionary(
      uniqueKeysWithValues: items.map { ($0["identifier"] ?? "", $0["value"] ?? "") })
  }

  @Test func `metadata is chosen for the languages of the reader`() async throws {
    let client = try await RunningService(clock: { 1000 }).client()
    #expect(try client.ask("PUT", "/v1/sessions/s", json: Self.film).status == 201)
    #expect(
      metadata(try shown(client, "de-AT, en;q=0.5"))
        == ["title": "Flut", "description": "Wasser."])
    #expect(metadata(try shown(client, "de")) == ["title": "Flut", "description": "Wasser."])
    #expect(metadata(try shown(client, "es")) == ["title": "Tide"])
    #expect(metadata(try shown(client)) == ["title": "Tide", "description": "Wasser."])
    // The content remains as published.
    let content = try #require(try shown(client, "de")["content"] as? [String: Any])
    #expect(content["title"] as? String == "Tide" && content["id"] as? String == "film/1")
    #expect((content["metadata"] as? [Any])?.count == 3)
  }

  @Test func `the first event is for the same reader`() async throws {
    let service = try await RunningService()
    #expect(try service.client().ask("PUT", "/v1/sessions/s", json: Self.film).status == 201)
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let reader = ReaderLanguages([try #require(LanguageTag("de-CH"))])
    var events = try await client.events(for: reader).makeAsyncIterator()
    guard case .nowPlaying(let document)? = try await events.next() else {
      Issue.record("the first event is no document")
      return
    }
    #expect(document.shown?.text(.title) == "Flut")
    #expect(try await client.nowPlaying(for: reader).shown?.text(.title) == "Flut")
    #expect(try await client.nowPlaying().shown?.text(.description) == "Wasser.")
  }

  @Test func `the duration of the content counts`() async throws {
    let client = try await RunningService(clock: { 1200 }).client()
    _ = try client.ask("PUT", "/v1/sessions/s", json: Self.film)
    func playback() throws -> [String: Any] {
      try #require(try shown(client)["playback"] as? [String: Any])
    }
    #expect(try playback()["durationSeconds"] as? Double == 100)
    #expect(try playback()["positionSeconds"] as? Double == 100)
    let endless = #"{"content":{"durationSeconds":null,"durationKind":"continuous"}}"#
    let type = ["Content-Type": "application/merge-patch+json"]
    #expect(try client.ask("PATCH", "/v1/sessions/s", type, json: endless).status == 200)
    #expect(try playback()["durationKind"] as? String == "continuous")
    #expect(try playback()["positionSeconds"] as? Double == 210)
    #expect(try playback()["durationSeconds"] == nil)
    // The published playback is still there.
    let session = try client.ask("GET", "/v1/sessions/s").json()
    #expect((session["playback"] as? [String: Any])?["durationSeconds"] as? Double == 90)
  }

  @Test(arguments: [
    (#"{"content":{"durationKind":"live"}}"#, "content.durationSeconds: it must be absent"),
    (
      #"{"content":{"chapters":[{"title":"a"}]}}"#,
      "content.chapters[0].startSeconds is missing"
    ),
    (
      #"{"content":{"metadata":[{"identifier":"title","value":"a","language":"-"}]}}"#,
      "content.metadata[0].language"
    ),
    (
      #"{"content":{"contentRating":"\#(String(repeating: "x", count: 65))"}}"#,
      "1 to 64 characters, not 65"
    ),
  ])
  func `a patch that is wrong names the field`(json: String, message: String) async throws {
    let client = try await RunningService().client()
    _ = try client.ask("PUT", "/v1/sessions/s", json: Self.film)
    let type = ["Content-Type": "application/merge-patch+json"]
    let answer = try client.ask("PATCH", "/v1/sessions/s", type, json: json)
    #expect(answer.status == 400)
    #expect((try answer.json()["detail"] as? String)?.contains(message) == true, "\(answer.text)")
  }
}
