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
    try service.folder.remove("store/incoming")
    try service.folder.write("", to: "store/incoming")
    var bad = good
    #expect(
      try await eventually {
        bad = try client.ask("GET", "/healthz")
        return bad.status == 503
      })
    #expect(bad.at("code") == "failed" && bad.at("status") == 503)
    #expect(bad.at("detail")?.text?.contains("not a directory") == true)
    try service.folder.remove("store/incoming")
    #expect(try await eventually { try client.ask("GET", "/healthz").status == 200 })
  }
}
