import ArtworkStore
import Foundation
import TestSupport
import Testing

@testable import ArtworkClients
@testable import ArtworkModel
@testable import ArtworkService

@Suite(.serialized) struct EventTests {
  private func listen(_ service: RunningService, _ query: String = "") throws -> RawClient {
    let client = try service.client()
    try client.send("GET /v1/events\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.receive(until: "event: now-playing\n").contains("text/event-stream"))
    return client
  }

  @Test func `a listener is told what is shown, then what changes`() async throws {
    let service = try await RunningService()
    let listener = try listen(service)
    #expect(try listener.receive(until: "\n\n").contains(#""sessions":[]"#))
    let client = try service.client()
    _ = try client.ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    _ = try listener.receive(until: "event: session\n")
    #expect(try listener.receive(until: "\n\n").contains(#"{"ended":false,"sessionID":"s"}"#))
    _ = try client.ask("PUT", "/v1/conditions", json: #"{"lowData":true}"#)
    _ = try listener.receive(until: "event: conditions\n")
    #expect(try listener.receive(until: "\n\n").contains(#""lowData":true"#))
    _ = try client.ask("POST", "/v1/sessions/s/primary", json: #"{"scope":"system"}"#)
    _ = try listener.receive(until: "event: primary\n")
    #expect(
      try listener.receive(until: "\n\n").contains(#"{"scope":"system","sessionID":"s"}"#))
    _ = try service.register("a", "good-1x1-2s.mp4")
    _ = try listener.receive(until: "event: artwork\n")
    #expect(try listener.receive(until: "\n\n").contains(#""artworkID":"a","key":"1x1""#))
  }

  @Test func `a quiet stream says that it lives`() async throws {
    let service = try await RunningService { $0.heartbeat = .milliseconds(50) }
    let listener = try listen(service)
    _ = try listener.receive(until: "\n\n")
    for _ in 0..<2 {
      // In a chunk of its own.
      #expect(try listener.receive(until: ": still here\n\n").split(separator: "\r\n").count == 2)
    }
  }

  @Test func `the session of a stream ends with it`() async throws {
    let service = try await RunningService()
    var owner: RawClient? = try listen(service, "?session=s%2F1")
    let watcher = try listen(service)
    let client = try service.client()
    _ = try client.ask("PUT", "/v1/sessions/s%2F1", json: #"{"application":"app"}"#)
    _ = try client.ask("PUT", "/v1/sessions/other", json: #"{"application":"app"}"#)
    withExtendedLifetime(owner) {}
    owner = nil
    _ = try watcher.receive(until: #"{"ended":true,"sessionID":"s/1"}"#)
    #expect(try client.ask("GET", "/v1/sessions/s%2F1").status == 404)
    #expect(try client.ask("GET", "/v1/sessions/other").status == 200)
  }

  @Test func `a stream whose client only closes its side ends as well`() async throws {
    let service = try await RunningService()
    let owner = try listen(service, "?session=s")
    let watcher = try listen(service)
    _ = try service.client().ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    owner.closeOutput()
    _ = try watcher.receive(until: #"{"ended":true,"sessionID":"s"}"#)
  }

  @Test func `a service that stops ends streams and no sessions`() async throws {
    let service = try await RunningService()
    let owner = try listen(service, "?session=s")
    _ = try service.client().ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    try await service.stop()
    _ = try owner.receiveToEnd()
    try await Task.sleep(for: service.center.options.grace + .milliseconds(500))
    let id = try #require(SessionID("s"))
    #expect(service.center.session(id) != nil)
  }
}
