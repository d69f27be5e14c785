import ArtworkClients
import TestSupport

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

  private static func owner(
    _ service: RunningService, _ query: String = "?own=s&application=app"
  ) throws -> RawClient {
    let owner = try service.client()
    try owner.send("GET /v1/events\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try owner.receive(until: "event: now-playing\n")
    return owner
  }

  /// Sends a command on a separate connection; read its answer with `answer()`.
  private func ask(_ json: String, _ path: String = "/v1/sessions/s/commands") throws -> RawClient {
    let asker = try service.client()
    try asker.request("POST", path, json: json)
    return asker
  }

  /// The command that comes next.
  private func command(_ owner: RawClient) throws -> JSONNode {
    _ = try owner.receive(until: "event: command\n")
    let line = try owner.receive(until: "\n\n").trimmingCharacters(in: .newlines)
    return try JSONNode.read(String(line.dropFirst("data: ".count)))
  }

  private func reply(_ command: JSONNode, _ json: String, to id: String = "s") throws -> Int {
    let number = try #require(command["number"]?.int)
    return try client.ask("POST", "/v1/sessions/\(id)/commands/\(number)", json: json).status
  }

  @Test func `the owner gets a command, and its answer is that of the one who asked`() throws {
    try publish()
    let (owner, listener) = (try Self.owner(service), try Self.owner(service, ""))
    let asker = try ask(#"{"command":"seekToPosition","position":90}"#)
    let command = try command(owner)
    #expect(command["command"] == "seekToPosition" && command["position"] == 90)
    #expect(command["sessionID"] == "s" && command["application"] == "app")
    #expect(try reply(command, #"{"status":"no-such-content","message":"no disc"}"#) == 204)
    let answer = try asker.answer()
    #expect(answer.status == 200)
    #expect(
      answer.text
        == #"{"application":"app","message":"no disc","number":\#(command["number"]?.int ?? 0),"#
        + #""sessionID":"s","status":"no-such-content"}"#)
    // It was answered.
    #expect(try reply(command, #"{"status":"success"}"#) == 404)
    // Who holds nothing gets no command: the next event that it gets is another one.
    _ = try client.ask("PUT", "/v1/conditions", json: "{}")
    #expect(!(try listener.receive(until: "event: conditions\n")).contains("event: command"))
  }

  @Test func `the primary session gets what is for its application or for the system`() throws {
    try publish()
    try publish("t", Self.session.replacing(#""app""#, with: #""my app""#))
    let first = try Self.owner(service)
    let second = try Self.owner(service, "?own=t&application=my+app")
    for (path, owner, id) in [
      ("/v1/now-playing/commands", second, "t"), ("/v1/applications/app/commands", first, "s"),
      ("/v1/applications/my%20app/commands", second, "t"),
    ] {
      let asker = try ask(#"{"command":"skipForward"}"#, path)
      let command = try command(owner)
      #expect(command["interval"] == 15)
      #expect(try reply(command, #"{"status":"success"}"#, to: id) == 204)
      let outcome = try asker.answer()
      #expect(outcome.at("status") == "success" && outcome.at("sessionID")?.text == id)
    }
    let unknown = try ask(#"{"command":"play"}"#, "/v1/applications/nobody/commands").answer()
    #expect(unknown.status == 404 && unknown.at("code") == "unknown-session")
  }

  @Test func `what cannot be done is refused at once, each with its code`() throws {
    func expect(_ json: String, _ status: Int, _ code: JSONNode) throws {
      let answer = try client.ask("POST", "/v1/sessions/s/commands", json: json)
      #expect(answer.status == status && answer.at("code") == code, "\(json)")
    }
    try expect(#"{"command":"play"}"#, 404, "unknown-session")
    try publish()
    try expect(#"{"command":"play"}"#, 409, "not-listening")
    try expect(#"{"command":"stop"}"#, 409, "command-not-offered")
    try expect(#"{"command":"next"}"#, 409, "command-disabled")
    try expect(#"{"command":"seekToPosition","position":101}"#, 400, "bad-request")
    try expect(#"{"command":"play","rate":1}"#, 400, "bad-request")
    let live = #"{"playback":{"durationSeconds":null,"durationKind":"live"}}"#
    #expect(try client.ask("PATCH", "/v1/sessions/s", json: live).status == 200)
    try expect(#"{"command":"skipForward"}"#, 409, "live-content")
    // A patch enables one command and leaves the others.
    let enabled = #"{"commands":{"next":{"enabled":true}}}"#
    let patched = try client.ask("PATCH", "/v1/sessions/s", json: enabled)
    #expect(patched.at("commands")?.fieldNames.count == 4)
    try expect(#"{"command":"next"}"#, 409, "not-listening")
    let owner = try Self.owner(service)
    let other = try Self.owner(service, "?own=s&application=other")
    let asker = try ask(#"{"command":"next"}"#)
    #expect(try command(owner)["command"] == "next")
    _ = try client.ask("DELETE", "/v1/sessions/s")
    #expect(try asker.answer().at("status") == "session-ended")
    _ = other
  }

  @Test func `an owner that is gone, late or another one leaves nobody waiting`() async throws {
    let service = try await RunningService(commandTimeout: .milliseconds(50))
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let id = try SessionSamples.id("s")
    var session = SessionSamples.session("app")
    session.commands = [.play: OfferedCommand()]
    _ = try await client.publish(session, as: id)
    let first = try Self.owner(service)
    let late = try await client.perform(.play, for: .session(id, of: "app"))
    #expect(late.status == .timedOut)
    await #expect {
      try await client.answer(
        DeliveredCommand(number: late.number, session: SessionReference("app", id), command: .play),
        CommandAnswer(.success))
    } throws: {
      ($0 as? ClientError)?.code == "unknown-command"
    }
    // The connection that was opened last gets it.
    var second: RawClient? = try Self.owner(service)
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
    let owner = try Self.owner(service)
    let askers = try (0..<CommandRouter.limit).map { _ in try ask(#"{"command":"play"}"#) }
    let commands = try askers.map { _ in try command(owner) }
    let refused = try ask(#"{"command":"play"}"#).answer()
    #expect(refused.status == 429 && refused.fields["retry-after"] == "1")
    // The answers may come in any order.
    for command in commands.reversed() {
      #expect(try reply(command, #"{"status":"success"}"#) == 204)
    }
    for asker in askers { #expect(try asker.answer().at("status") == "success") }
  }
}
