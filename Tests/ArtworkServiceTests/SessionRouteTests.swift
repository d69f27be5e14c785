import Synchronization
import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel
@testable import ArtworkService

@Suite(.serialized) struct SessionRouteTests {
  private static let playing =
    #"{"application":"app","artwork":{"1x1":"a"},"content":{"kind":"music","title":"t","#
    + #""subtitle":"s"},"playback":{"state":"playing","elapsedSeconds":10,"timestamp":1000,"#
    + #""durationSeconds":100},"owner":{"process":\(getpid())}}"#

  private func playing(_ client: RawClient, id: String = "s") throws {
    let body = Self.playing.replacing(#"\(getpid())"#, with: "\(getpid())")
    #expect(try client.ask("PUT", "/v1/sessions/\(id)", json: body).status == 201)
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
    let size = #"{"width":100,"height":100}"#
    let video = try client.ask("POST", "/v1/sessions/s/artwork/1x1/video", json: size).json()
    let answer = try patch(client, #"{"playback":{"state":"paused"}}"#, type: type)
    #expect(answer.status == 200)
    let session = try answer.json()
    // A player that reports its position each second does not get its pictures back.
    #expect(session["content"] == nil)
    let whole = try client.ask("GET", "/v1/sessions/s").json()
    #expect(
      (whole["content"] as? [String: String]) == ["kind": "music", "title": "t", "subtitle": "s"])
    #expect(whole["artwork"] as? [String: String] == ["1x1": "a"])
    #expect((session["owner"] as? [String: Int])?["process"] == Int(getpid()))
    let playback = try #require(session["playback"] as? [String: Any])
    #expect(playback["state"] as? String == "paused")
    // 10 s at 1000, so 40 s at 1030, when it came.
    #expect(playback["elapsedSeconds"] as? Double == 40)
    #expect(playback["timestamp"] as? Double == 1030)
    #expect(playback["durationSeconds"] as? Double == 100)
    // The file remains the same.
    let again = try client.ask("POST", "/v1/sessions/s/artwork/1x1/video", json: size).json()
    #expect(again["url"] as? String == video["url"] as? String)
  }

  @Test func `a patch states where playback is, and when`() async throws {
    let client = try await RunningService(clock: { 1030 }).client()
    try playing(client)
    func playback(_ json: String) throws -> [Double?] {
      let playback = try patch(client, json).json()["playback"] as? [String: Any]
      return [playback?["elapsedSeconds"] as? Double, playback?["timestamp"] as? Double]
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
    let size = #"{"width":100,"height":100}"#
    _ = try client.ask("POST", "/v1/sessions/s/artwork/1x1/video", json: size)
    var session = try patch(client, #"{"content":{"subtitle":null,"title":"u"}}"#).json()
    #expect(session["content"] as? [String: String] == ["kind": "music", "title": "u"])
    session = try patch(
      client, #"{"artwork":{"1x1":null},"playback":null,"content":null,"owner":null}"#
    ).json()
    #expect(
      Set(session.keys) == [
        "id", "application", "artwork", "isApplicationPrimary", "isSystemPrimary",
      ])
    #expect((session["artwork"] as? [String: String])?.isEmpty == true)
    #expect(try client.ask("GET", "/v1/leases").text == #"{"leases":[]}"#)
  }

  @Test(arguments: [
    (#"{"colour":1}"#, "colour"), (#"{"content":{"colour":1}}"#, "colour"),
    (#"{"content":{"kind":null}}"#, "content.kind"),
    (#"{"application":null}"#, "application"), (#"[]"#, "object"), (#"1"#, "object"),
    (#"{"playback":{"state":null}}"#, "playback.state"),
    (#"{"playback":{"elapsedSeconds":-1}}"#, "elapsedSeconds"),
    (#"{"playback":{"timestamp":"now"}}"#, "playback.timestamp"),
    (#"{"artwork":{"2x3":"a"}}"#, "2x3"), (#"{"owner":{"process":0}}"#, "process"),
  ])
  func `a patch that makes no session changes nothing and names the field`(
    json: String, field: String
  ) async throws {
    let client = try await RunningService().client()
    try playing(client)
    let before = try client.ask("GET", "/v1/sessions/s").text
    let answer = try patch(client, json)
    #expect(answer.status == 400)
    #expect((try answer.json()["detail"] as? String)?.contains(field) == true, "\(answer.text)")
    #expect(try client.ask("GET", "/v1/sessions/s").text == before)
  }

  private static let wrong = [
    ("PUT", "", #"{"application":"a","foo":1}"#, "foo: unknown field; known: application, "),
    (
      "PUT", "", #"{"application":"a","content":{"kind":"song","title":"t"}}"#,
      "content.kind: it must be one of music, "
    ),
    (
      "PUT", "", #"{"application":"a","commands":{"fly":{}}}"#,
      "commands.fly: unknown field; known: bookmark, "
    ),
    (
      "PUT", "", #"{"application":"a","artwork":{"2x3":"a"}}"#,
      "artwork.2x3: unknown field; known: 1x1, 3x4"
    ),
    (
      "PUT", "", #"{"application":"a","owner":{"process":3000000000}}"#,
      "owner.process: it must be a whole number from 1 to 2147483647"
    ),
    (
      "PUT", "", #"{"application":"a","commands":{"skipForward":{"preferredIntervals":[1e999]}}}"#,
      "commands.skipForward.preferredIntervals[0]: it must be a number above 0"
    ),
    (
      "PATCH", "", #"{"playback":{"rate":1e999}}"#,
      "playback.rate: it must be a number other than 0"
    ),
    ("POST", "/primary", #"{"scope":"galaxy"}"#, "scope: it must be one of application, system"),
    ("POST", "/commands/1", #"{"status":"late"}"#, "status: it must be one of success, "),
    (
      "POST", "/commands", #"{"command":"seekToPosition","position":1e999}"#,
      "position: it must be a number from 0 to 100000000000"
    ),
    (
      "POST", "/artwork/1x1/video", #"{"width":1.5,"height":3}"#,
      "width: it must be a whole number from 1 to 16384"
    ),
    (
      "POST", "/artwork/1x1/video", #"{"width":1,"height":99999999999999999999}"#,
      "height: it must be a whole number from 1 to 16384"
    ),
  ]

  @Test func `a wrong body is refused by the name of its field, once and in plain words`()
    async throws
  {
    let client = try await RunningService().client()
    try playing(client)
    for (method, path, json, message) in Self.wrong {
      let answer = try client.ask(method, "/v1/sessions/s\(path)", json: json)
      let detail = try answer.json()["detail"] as? String
      #expect(answer.status == 400 && detail?.hasPrefix(message) == true, "\(answer.text)")
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
    let list = try #require(
      try client.ask("GET", "/v1/sessions").json()["sessions"] as? [[String: Any]])
    #expect(list.map { $0["id"] as? String } == ["s", "t"])
    #expect(list.map { $0["isSystemPrimary"] as? Bool } == [true, false])
    #expect((list[0]["owner"] as? [String: Int])?["process"] == Int(getpid()))
    #expect(try client.ask("GET", "/v1/sessions?x=1").status == 400)
  }

  @Test func `a promotion is taken back`() async throws {
    let client = try await RunningService().client()
    for id in ["s", "t"] {
      _ = try client.ask("PUT", "/v1/sessions/\(id)", json: #"{"application":"app"}"#)
    }
    _ = try client.ask("PUT", "/v1/sessions/u", json: #"{"application":"other"}"#)
    func shown() throws -> String? {
      (try client.ask("GET", "/v1/now-playing").json()["shown"] as? [String: Any])?["sessionID"]
        as? String
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
    #expect(try client.ask("GET", "/v1/sessions/s").json()["isApplicationPrimary"] as? Bool == true)
    _ = try client.ask("POST", "/v1/sessions/s/primary", json: promotion)
    #expect(try demote() == 204)
    #expect(try shown() == "u")
    #expect(try client.ask("GET", "/v1/sessions/t").json()["isApplicationPrimary"] as? Bool == true)
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
      #expect(try answer.json()["code"] as? String == "ambiguous-session")
      #expect((try answer.json()["detail"] as? String)?.contains("one, two") == true)
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
    #expect(try client.ask("GET", "/v1/sessions/main").json()["application"] as? String == "one")
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
    #expect(again.status == 412)
    #expect(try again.json()["code"] as? String == "precondition-failed")
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

  @Test func `a session that is published just after a stream of its name closed stays`()
    async throws
  {
    let service = try await RunningService(grace: .milliseconds(700))
    let client = try service.client()
    var stream: RawClient? = try service.client()
    try stream?.send("GET /v1/events?own=s&application=app HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try stream?.receive(until: "event: now-playing\n")
    stream = nil
    let json = #"{"application":"app"}"#
    let id = SessionReference("app", try #require(SessionID("s")))
    #expect(
      try await eventually { service.center.state.withLock { !$0.owners.isHeld(id) } })
    #expect(try client.ask("PUT", "/v1/sessions/s", json: json).status == 201)
    try await Task.sleep(for: service.center.options.grace + .milliseconds(300))
    let session = try client.ask("GET", "/v1/sessions/s")
    #expect(session.status == 200)
    #expect(try session.json()["owner"] == nil)
  }
}
