import TestSupport

@Suite struct HealthTests {
  @Test("health is that of the store, with the reason")
  func health() async throws {
    let service = try await RunningService()
    let client = try service.client()
    let good = try client.ask("GET", "/healthz")
    #expect(good.status == 200)
    #expect(good.text.contains(#"{"repairs":0,"status":"ok","version":"test"}"#))
    // The folder cannot be made again while something else has its name.
    let incoming = service.folder.url("store/incoming")
    try FileManager.default.removeItem(at: incoming)
    try Data().write(to: incoming)
    var bad = good
    #expect(
      try await eventually {
        bad = try client.ask("GET", "/healthz")
        return bad.status == 503
      })
    let problem = try bad.json()
    #expect(problem["code"] as? String == "failed" && problem["status"] as? Int == 503)
    #expect((problem["detail"] as? String)?.contains("not a directory") == true)
    try FileManager.default.removeItem(at: incoming)
    #expect(try await eventually { try client.ask("GET", "/healthz").status == 200 })
  }

  @Test("what a player does to its file reaches no other answer of the service")
  func harm() async throws {
    let service = try await RunningService()
    let client = try service.client()
    let bytes = try Data(contentsOf: Fixture.named("good-1x1-2s.mp4").url)
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    func video(_ session: String) throws -> URL {
      let answer = try client.ask(
        "POST", "/v1/sessions/\(session)/artwork/1x1/video", json: #"{"width":100,"height":100}"#)
      let text = try answer.json()["url"] as? String
      return try #require(URL(string: text ?? ""))
    }
    for session in ["one", "two"] {
      let body = #"{"application":"app","artwork":{"1x1":"a"}}"#
      #expect(try client.ask("PUT", "/v1/sessions/\(session)", json: body).status == 201)
    }
    let (one, two) = (try video("one"), try video("two"))
    try Data("harm".utf8).write(to: one)
    #expect(try Data(contentsOf: two) == bytes)
    #expect(try client.ask("GET", "/v1/artworks/a/1x1/video").body == Array(bytes))
    #expect(try Data(contentsOf: video("one")) == bytes)
  }
}
