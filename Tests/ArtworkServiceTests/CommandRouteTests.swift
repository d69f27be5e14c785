import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel
@testable import ArtworkService

@Suite(.serialized) struct CommandRouteTests {
  private static let session =
    #"{"application":"app","commands":{"play":{},"next":{"enabled":false},"seekToPosition":{},"#
    + #""skipForward":{"preferredIntervals":[15]}},"playback":{"state":"paused","#
    + #""elapsedSeconds":0,"durationSeconds":100}}"#

  private let service: RunningService
  private let client: RawClient

  init() async throws {
    service = try await RunningService()
    client = try service.client()
  }

  private func publish(_ id: String = "s", _ json: String = session) throws {
    #expect(try client.ask("PUT", "/v1/sessions/\(id)", json: json).status <= 201)
  }

  private func owner(_ query: String = "?own=s&application=app") throws -> RawClient {
    let owner = try service.client()
    try owner.send("GET /v1/events\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try owner.receive(until: "event: now-playing\n")
    return owner
  }

  /// Sends a command on a separate connection; read its answer with `answer()`.
  private func ask(_ json: String, _ path: String = "/v1/sessions/s/commands") throws -> RawClient {
    let asker = try service.client()
    try asker.send(
      "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
    return asker
  }

  /// The command that comes next.
  private func command(_ owner: RawClient) throws -> [String: Any] {
    _ = try owner.receive(until: "event: command\n")
    let line = try owner.receive(until: "\n\n")
    return try JSONSerialization.jsonObject(
      with: Data(line.trimmingCharacters(in: .newlines).dropFirst("data: ".count).utf8))
      as? [String: Any] ?? [:]
  }

  private func reply(_ number: Any?, _ json: String, to id: String = "s") throws -> Int {
    let number = try #require(number as? Int)
    return try client.ask("POST", "/v1/sessions/\(id)/commands/\(number)", json: json).status
  }

  @Test func `the owner gets a command, and its answer is that of the one who asked`() throws {
    try publish()
    let (owner, listener) = (try owner(), try self.owner(""))
    let asker = try ask(#"{"command":"seekToPosition","position":90}"#)
    let command = try command(owner)
    #expect(command["command"] as? String == "seekToPosition")
    #expect(command["position"] as? Double == 90)
    #expect(command["sessionID"] as? String == "s" && command["application"] as? String == "app")
    #expect(
      try reply(command["number"], #"{"status":"no-such-content","message":"no disc"}"#) == 204)
    let answer = try asker.answer()
    #expect(answer.status == 200)
    #expect(
      answer.text
        == #"{"application":"app","message":"no disc","number":\#(command["number"] ?? 0),"#
        + #""sessionID":"s","status":"no-such-content"}"#)
    // It was answered.
    #expect(try reply(command["number"], #"{"status":"success"}"#) == 404)
    // Who holds nothing gets no command: the next event that it gets is another one.
    _ = try client.ask("PUT", "/v1/conditions", json: "{}")
    #expect(!(try listener.receive(until: "event: conditions\n")).contains("event: command"))
  }

  @Test func `the primary session gets what is for its application or for the system`() throws {
    try publish()
    try publish("t", Self.session.replacing(#""app""#, with: #""my app""#))
    let (first, second) = (try owner(), try owner("?own=t&application=my+app"))
    for (path, owner, id) in [
      ("/v1/now-playing/commands", second, "t"), ("/v1/applications/app/commands", first, "s"),
      ("/v1/applications/my%20app/commands", second, "t"),
    ] {
      let asker = try ask(#"{"command":"skipForward"}"#, path)
      let command = try command(owner)
      #expect(command["interval"] as? Double == 15)
      #expect(try reply(command["number"], #"{"status":"success"}"#, to: id) == 204)
      let outcome = try asker.answer().json()
      #expect(outcome["status"] as? String == "success" && outcome["sessionID"] as? String == id)
    }
    let unknown = try ask(#"{"command":"play"}"#, "/v1/applications/nobody/commands").answer()
    #expect(unknown.status == 404)
    #expect(try unknown.json()["code"] as? String == "unknown-session")
  }

  @Test func `what cannot be done is refused at once, each with its code`() throws {
    func refusal(_ json: String, _ id: String = "s") throws -> (Int, String?) {
      let answer = try client.ask("POST", "/v1/sessions/\(id)/commands", json: json)
      return (answer.status, try answer.json()["code"] as? String)
    }
    func expect(_ json: String, _ id: String = "s", _ status: Int, _ code: String) throws {
      let (is1, is2) = try refusal(json, id)
      #expect(is1 == status && is2 == code)
    }
    try expect(#"{"command":"play"}"#, "s", 404, "unknown-session")
    try publish()
    try expect(#"{"command":"play"}"#, "s", 409, "not-listening")
    try expect(#"{"command":"stop"}"#, "s", 409, "command-not-offered")
    try expect(#"{"command":"next"}"#, "s", 409, "command-disabled")
    try expect(#"{"command":"seekToPosition","position":101}"#, "s", 400, "bad-request")
    try expect(#"{"command":"fly"}"#, "s", 400, "bad-request")
    try expect(#"{"command":"play","rate":1}"#, "s", 400, "bad-request")
    let live = #"{"playback":{"durationSeconds":null,"durationKind":"live"}}"#
    #expect(try client.ask("PATCH", "/v1/sessions/s", json: live).status == 200)
    try expect(#"{"command":"skipForward"}"#, "s", 409, "live-content")
    // A patch enables one command and leaves the others.
    let enabled = #"{"commands":{"next":{"enabled":true}}}"#
    let patched = try client.ask("PATCH", "/v1/sessions/s", json: enabled).json()
    #expect((patched["commands"] as? [String: Any])?.count == 4)
    try expect(#"{"command":"next"}"#, "s", 409, "not-listening")
    let owner = try owner()
    let other = try self.owner("?own=s&application=other")
    let asker = try ask(#"{"command":"next"}"#)
    #expect(try command(owner)["command"] as? String == "next")
    _ = try client.ask("DELETE", "/v1/sessions/s")
    #expect(try asker.answer().json()["status"] as? String == "session-ended")
    _ = other
  }

  @Test func `an owner that is gone, late or another one leaves nobody waiting`() async throws {
    let service = try await RunningService(commandTimeout: .milliseconds(50))
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let id = try SessionSamples.id("s")
    var session = SessionSamples.session("app")
    session.commands = [.play: OfferedCommand()]
    _ = try await client.publish(session, as: id)
    func owner() throws -> RawClient {
      let owner = try service.client()
      try owner.send("GET /v1/events?own=s&application=app HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try owner.receive(until: "event: now-playing\n")
      return owner
    }
    let first = try owner()
    let late = try await client.perform(.play, for: .session(id, of: "app"))
    #expect(late.status == .timedOut)
    await #expect {
      try await client.answer(
        DeliveredCommand(
          number: late.number, session: SessionReference("app", id), command: .play),
        CommandAnswer(.success))
    } throws: {
      ($0 as? ClientError)?.code == "unknown-command"
    }
    // The connection that was opened last gets it.
    var second: RawClient? = try owner()
    let asking = Task { try await client.perform(.play) }
    _ = try #require(second).receive(until: "event: command\n")
    second = nil
    let status = try await asking.value.status
    // Its end may be noticed after the time is up.
    #expect(status == .ownerGone || status == .timedOut)
    _ = first
  }

  @Test func `the commands that wait for one owner have a limit`() throws {
    try publish()
    let owner = try owner()
    let askers = try (0..<CommandRouter.limit).map { _ in try ask(#"{"command":"play"}"#) }
    var numbers: [Int] = []
    for _ in askers { numbers.append(try #require(command(owner)["number"] as? Int)) }
    let refused = try ask(#"{"command":"play"}"#).answer()
    #expect(refused.status == 429 && refused.fields["retry-after"] == "1")
    // The answers may come in any order.
    for number in numbers.reversed() { #expect(try reply(number, #"{"status":"success"}"#) == 204) }
    for asker in askers { #expect(try asker.answer().json()["status"] as? String == "success") }
  }
}
