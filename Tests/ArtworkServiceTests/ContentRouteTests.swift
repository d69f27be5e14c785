import ArtworkClients
import TestSupport

/// The fields of an item, over HTTP; ContractTests has those that are wrong, ContentDetailsTests what they mean.
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

  @Test func `metadata is chosen for the languages of the reader, the first event too`()
    async throws
  {
    let service = try await RunningService(clock: { 1200 })
    let raw = try service.client()
    #expect(try raw.ask("PUT", "/v1/sessions/s", json: Self.film).status == 201)
    func shown(_ languages: String? = nil) throws -> JSONNode {
      let headers = languages.map { ["Accept-Language": $0] } ?? [:]
      return try #require(try raw.ask("GET", "/v1/now-playing", headers).at("shown"))
    }
    for (languages, texts) in [
      ("de-AT, en;q=0.5", ["Flut", "Wasser."]), ("es", ["Tide"]), (nil, ["Tide", "Wasser."]),
    ] { #expect(try shown(languages).texts("metadata.*.value") == texts) }
    // The content remains as published, and its duration counts.
    let german = try shown("de")
    #expect(german.at("content.title") == "Tide" && german.at("content.id") == "film/1")
    #expect(german.at("content.metadata")?.items.count == 3)
    #expect(german.at("playback.positionSeconds") == 100)
    #expect(try raw.ask("GET", "/v1/sessions/s").at("playback.durationSeconds") == 90)

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
}
