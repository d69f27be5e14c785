import NIOHTTP1
import TestSupport
import Testing

@testable import ArtworkService

@Suite struct AdmissionTests {
  private let token = WriteToken()

  private func problem(
    _ method: HTTPMethod, _ fields: [(String, String)], uri: String = "/v1/now-playing",
    local: Bool = false
  ) -> Int? {
    let hosts = LoopbackAddress(port: 7000).hosts
    let admission = Admission(
      transport: local ? .local : .loopback(hosts: hosts, token: token), bodyLimit: 1000)
    return admission.problem(
      HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: HTTPHeaders(fields)))?
      .status
  }

  @Test(arguments: ["127.0.0.1:7000", "localhost:7000", "LocalHost:7000", "[::1]:7000"])
  func `its own names are let in`(host: String) {
    #expect(problem(.GET, [("Host", host)]) == nil)
  }

  @Test(arguments: [
    "evil.test:7000", "127.0.0.1", "127.0.0.1:7001", "localhost.:7000", "localhost:7000.evil.test",
    "127.0.0.1:7000@evil.test", "0.0.0.0:7000", "[::1]", "", "127.1:7000", " localhost:7000x",
  ])
  func `a name that a page of others could be reached by is refused`(host: String) {
    #expect(problem(.GET, [("Host", host)]) == 421)
  }

  @Test func `exactly one host is named`() {
    #expect(problem(.GET, []) == 421)
    #expect(problem(.GET, [("Host", "localhost:7000"), ("host", "localhost:7000")]) == 421)
  }

  @Test(arguments: [
    "null", "http://evil.test", "https://localhost:7000", "http://localhost:7001",
    "http://localhost:7000.evil.test", "file://",
  ])
  func `pages of others are refused`(origin: String) {
    #expect(problem(.GET, [("Host", "localhost:7000"), ("Origin", origin)]) == 403)
  }

  @Test func `its own page is let in`() {
    #expect(
      problem(.GET, [("Host", "localhost:7000"), ("Origin", "http://127.0.0.1:7000")]) == nil)
  }

  @Test(arguments: [HTTPMethod.PUT, .POST, .DELETE, .PATCH, .RAW(value: "PURGE")])
  func `changes over TCP need the token`(method: HTTPMethod) {
    let host = ("Host", "localhost:7000")
    let json = ("Content-Type", "application/json")
    #expect(problem(method, [host, json]) == 401)
    for wrong in [
      "Bearer", "Bearer ", "Bearer x", "Basic \(token.text)", token.text, "Bearer \(token.text)x",
      "Bearer \(token.text.dropLast())0x".replacing("0x", with: "g"),
    ] {
      #expect(problem(method, [host, json, ("Authorization", wrong)]) == 401)
    }
    #expect(problem(method, [host, json, ("Authorization", "Bearer \(token.text)")]) == nil)
    #expect(problem(method, [host, json, ("Authorization", "bearer \(token.text)")]) == nil)
    #expect(problem(method, [json], local: true) == nil)
  }

  @Test func `owning a session through a stream is a change`() {
    let host = ("Host", "localhost:7000")
    #expect(problem(.GET, [host], uri: "/v1/events") == nil)
    // However it is spelled: the router passes over empty parts.
    for uri in ["/v1/events", "//v1/events", "/v1//events/", "/v1/%65vents"] {
      #expect(problem(.GET, [host], uri: uri + "?session=a") == 401, "\(uri)")
    }
    #expect(
      problem(.GET, [host, ("Authorization", "Bearer \(token.text)")], uri: "/v1/events?session=a")
        == nil)
  }

  @Test func `a body that is announced as too large is refused unread`() {
    let json = ("Content-Type", "application/json")
    #expect(problem(.PUT, [json, ("Content-Length", "1001")], local: true) == 413)
    #expect(problem(.PUT, [json, ("Content-Length", "1000")], local: true) == nil)
  }

  @Test func `a target is a path`() {
    #expect(problem(.GET, [], uri: "http://evil.test/", local: true) == 400)
    #expect(problem(.OPTIONS, [], uri: "*", local: true) == 400)
  }
}
