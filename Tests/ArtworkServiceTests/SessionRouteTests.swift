import TestSupport

@testable import ArtworkService

@Suite(.serialized) struct SessionRouteTests {
  private static let playing =
    #"{"application":"app","artwork":{"1x1":"a"},"content":{"kind":"music","title":"t","#
    + #""subtitle":"s"},"playback":{"state":"playing","elapsedSeconds":10,"timestamp":1000,"#
    + #""durationSeconds":100},"owner":{"process":\#(getpid())}}"#

  private func playing(_ client: RawClient, id: String = "s") throws {
    #expect(try client.ask("PUT", "/v1/sessions/\(id)", json: Self.playing).status == 201)
  }

  private func video(_ client: RawClient) throws -> RawClient.Answer {
    try client.ask(
      "POST", "/v1/sessions/s/artwork/1x1/video", json: #"{"width":100,"height":100}"#)
  }

  private func patch(
    _ client: RawClient, _ json: String, type: String = "application/merge-patch+json"
  ) throws -> RawClient.Answer {
    try client.ask("PATCH", "/v1/sessions/s", ["Content-Type": type], json: json)
  }

  @Test(arguments: ["application/merge-patch+json", "application/json"])
  func `a pause is one small request that loses nothing`(type: String) async throws {
    let service = try await RunningService(clock: { 1030 })
    _ = try service.register("a", "good-1x1-2s.mp4")
    let client = try service.client()
    try playing(client)
    let video = try video(client)
    let answer = try patch(client, #"{"playback":{"state":"paused"}}"#, type: type)
    #expect(answer.status == 200)
    // A player that reports its position each second does not get its pictures back.
    #expect(answer.at("content") == nil)
    let whole = try client.ask("GET", "/v1/sessions/s")
    #expect(whole.at("content.kind") == "music" && whole.at("content.title") == "t")
    #expect(whole.at("content.subtitle") == "s" && whole.at("artwork.1x1") == "a")
    #expect(answer.at("owner.process")?.int == Int(getpid()))
    #expect(answer.at("playback.state") == "paused")
    // 10 s at 1000, so 40 s at 1030, when it came.
    #expect(answer.at("playback.elapsedSeconds") == 40)
    #expect(answer.at("playback.timestamp") == 1030)
    #expect(answer.at("playback.durationSeconds") == 100)
    // The file remains the same.
    #expect(try self.video(client).at("url") == video.at("url"))
  }

  @Test func `a patch states where playback is, and when`() async throws {
    let client = try await RunningService(clock: { 1030 }).client()
    try playing(client)
    func playback(_ json: String) throws -> [Double?] {
      let answer = try patch(client, json)
      return ["elapsedSeconds", "timestamp"].map { answer.at("playback.\($0)")?.number }
    }
    #expect(try playback(#"{"playback":{"elapsedSeconds":5}}"#) == [5, 1030])
    #expect(try playback(#"{"playback":{"elapsedSeconds":5,"timestamp":1020}}"#) == [5, 1020])
    #expect(try playback(#"{"playback":{"timestamp":1022}}"#) == [7, 1022])
    // One in the future is now.
    #expect(try playback(#"{"playback":{"timestamp":9999}}"#) == [15, 1030])
    #expect(try playback(#"{"playback":{"elapsedSeconds":7,"timestamp":1022}}"#) == [7, 1022])
    // Fields that do not concern playback do not change it.
    #expect(try playback(#"{"content":{"title":"u"}}"#) == [7, 1022])
  }

  @Test func `a patch of null removes, and releases what was published`() async throws {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1-2s.mp4")
    let client = try service.client()
    try playing(client)
    _ = try video(client)
    let titled = try patch(client, #"{"content":{"subtitle":null,"title":"u"}}"#)
    #expect(
      titled.at("content")?.fieldNames == ["kind", "title"] && titled.at("content.title") == "u")
    let bare = try patch(
      client, #"{"artwork":{"1x1":null},"playback":null,"content":null,"owner":null}"#)
    #expect(
      Set(try bare.json.fieldNames) == [
        "id", "application", "artwork", "isApplicationPrimary", "isSystemPrimary",
      ])
    #expect(bare.at("artwork")?.fieldNames == [])
    #expect(try client.ask("GET", "/v1/leases").text == #"{"leases":[]}"#)
  }

  /// ContractTests has the fields that a session may have.
  @Test func `a patch that makes no session changes nothing and names the field`() async throws {
    let client = try await RunningService().client()
    try playing(client)
    let before = try client.ask("GET", "/v1/sessions/s").text
    for (json, field) in [
      (#"{"colour":1}"#, "colour"), (#"{"content":{"colour":1}}"#, "colour"),
      (#"{"content":{"kind":null}}"#, "content.kind"),
      (#"{"application":null}"#, "application"), (#"[]"#, "object"), (#"1"#, "object"),
      (#"{"playback":{"state":null}}"#, "playback.state"),
      (#"{"playback":{"rate":1e999}}"#, "playback.rate"),
      (#"{"playback":{"timestamp":"now"}}"#, "playback.timestamp"),
      (#"{"artwork":{"2x3":"a"}}"#, "2x3"), (#"{"owner":{"process":0}}"#, "process"),
    ] {
      let answer = try patch(client, json)
      #expect(answer.status == 400, "\(json)")
      #expect(answer.at("detail")?.text?.contains(field) == true, "\(answer.text)")
      #expect(try client.ask("GET", "/v1/sessions/s").text == before, "\(json)")
    }
  }

  @Test func `a patch of an unknown session or for an unknown process is refused`() async throws {
    let client = try await RunningService().client()
    #expect(try patch(client, "{}").status == 404)
    try playing(client)
    #expect(try patch(client, #"{"owner":{"process":2147483647}}"#).status == 409)
    #expect(try patch(client, #"{"application":"app"}"#).status == 200)
  }

  @Test func `all sessions are listed, the shown one first`() async throws {
    let client = try await RunningService().client()
    #expect(try client.ask("GET", "/v1/sessions").text == #"{"sessions":[]}"#)
    try playing(client)
    _ = try client.ask("PUT", "/v1/sessions/t", json: #"{"application":"other"}"#)
    let list = try client.ask("GET", "/v1/sessions")
    #expect(list.at("sessions.*.id") == ["s", "t"])
    #expect(list.at("sessions.*.isSystemPrimary") == [true, false])
    #expect(list.at("sessions.0.owner.process")?.int == Int(getpid()))
    #expect(try client.ask("GET", "/v1/sessions?x=1").status == 400)
  }

  @Test func `a promotion is taken back`() async throws {
    let client = try await RunningService().client()
    for id in ["s", "t"] {
      _ = try client.ask("PUT", "/v1/sessions/\(id)", json: #"{"application":"app"}"#)
    }
    _ = try client.ask("PUT", "/v1/sessions/u", json: #"{"application":"other"}"#)
    func shown() throws -> JSONNode? {
      try client.ask("GET", "/v1/now-playing").at("shown.sessionID")
    }
    func demote(_ query: String = "", id: String = "s") throws -> Int {
      try client.ask("DELETE", "/v1/sessions/\(id)/primary\(query)").status
    }
    #expect(try shown() == "u")
    let promotion = #"{"scope":"system"}"#
    _ = try client.ask("POST", "/v1/sessions/s/primary", json: promotion)
    #expect(try shown() == "s")
    #expect(try demote("?scope=system") == 204)
    #expect(try shown() == "u")
    // Its application still shows it.
    #expect(try client.ask("GET", "/v1/sessions/s").at("isApplicationPrimary") == true)
    _ = try client.ask("POST", "/v1/sessions/s/primary", json: promotion)
    #expect(try demote() == 204)
    #expect(try shown() == "u")
    #expect(try client.ask("GET", "/v1/sessions/t").at("isApplicationPrimary") == true)
    #expect(try demote() == 204)
    #expect(try demote("?scope=world") == 400)
    #expect(try demote(id: "x") == 404)
  }

  // MARK: Names and conditions

  @Test func `two players that both call their session main are distinguished`() async throws {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1-2s.mp4")
    let client = try service.client()
    for application in ["one", "two"] {
      let session = #"{"application":"\#(application)","artwork":{"1x1":"a"}}"#
      #expect(try client.ask("PUT", "/v1/sessions/main", json: session).status == 201)
      #expect(try client.ask("PUT", "/v1/sessions/main", json: session).status == 200)
    }
    let (size, promotion) = (#"{"width":100,"height":100}"#, "{}")
    let requests: [(method: String, target: String, json: String?)] = [
      ("GET", "/v1/sessions/main", nil), ("PATCH", "/v1/sessions/main", "{}"),
      ("POST", "/v1/sessions/main/artwork/1x1/video", size),
      ("POST", "/v1/sessions/main/primary", promotion),
      ("DELETE", "/v1/sessions/main/primary", nil), ("DELETE", "/v1/sessions/main", nil),
    ]
    for (method, target, json) in requests {
      let answer = try client.ask(method, target, json: json)
      #expect(answer.status == 409, "\(method) \(target)")
      #expect(answer.at("code") == "ambiguous-session")
      #expect(answer.at("detail")?.text?.contains("one, two") == true)
    }
    for (method, target, json) in requests {
      #expect(
        (200...204).contains(
          try client.ask(method, target + "?application=two", json: json).status),
        "\(method) \(target)")
      #expect(
        try client.ask(method, target + "?application=three", json: json).status == 404,
        "\(method) \(target)")
    }
    // Alone again, the name is enough, and a patch may name the application itself.
    #expect(try client.ask("GET", "/v1/sessions/main").at("application") == "one")
    #expect(
      try client.ask("PATCH", "/v1/sessions/main", json: #"{"application":"two"}"#).status == 404)
    #expect(
      try client.ask("PUT", "/v1/sessions/main?application=x", json: #"{"application":"y"}"#).status
        == 400)
  }

  @Test func `a session is changed only as the one that a client knows`() async throws {
    let client = try await RunningService().client()
    let json = #"{"application":"app"}"#
    func put(_ fields: [String: String]) throws -> RawClient.Answer {
      try client.ask("PUT", "/v1/sessions/s", fields, json: json)
    }
    #expect(try put(["If-Match": "*"]).status == 412)
    let new = try put(["If-None-Match": "*"])
    #expect(new.status == 201)
    let first = try #require(new.fields["etag"])
    let again = try put(["If-None-Match": "*"])
    #expect(again.status == 412 && again.at("code") == "precondition-failed")
    #expect(again.fields["etag"] == first)
    #expect(try client.ask("GET", "/v1/sessions/s").fields["etag"] == first)
    // Another session that becomes primary is no change of this one.
    _ = try client.ask("PUT", "/v1/sessions/t", json: json)
    #expect(try client.ask("GET", "/v1/sessions/s").fields["etag"] == first)
    let patch = #"{"content":{"kind":"music","title":"t"}}"#
    let changed = try client.ask("PATCH", "/v1/sessions/s", ["If-Match": first], json: patch)
    #expect(changed.status == 200)
    let second = try #require(changed.fields["etag"])
    #expect(second != first)
    for (method, json) in [("PUT", json), ("PATCH", patch), ("DELETE", nil)] as [(String, String?)] {
      let answer = try client.ask(method, "/v1/sessions/s", ["If-Match": first], json: json)
      #expect(answer.status == 412, "\(method)")
      #expect(answer.fields["etag"] == second)
      #expect(
        try client.ask(method, "/v1/sessions/s", ["If-Match": "W/\(second)"], json: json).status
          == 412, "\(method)")
    }
    #expect(try client.ask("GET", "/v1/sessions/s").fields["etag"] == second)
    #expect(
      try client.ask("DELETE", "/v1/sessions/s", ["If-Match": "\"x\", \(second)"]).status == 204)
    #expect(try client.ask("DELETE", "/v1/sessions/s", ["If-Match": second]).status == 404)
  }
}
