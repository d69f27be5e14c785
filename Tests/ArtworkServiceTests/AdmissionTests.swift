import ArtworkModel
import NIOHTTP1
import TestSupport

@testable import ArtworkService

@Suite struct AdmissionTests {
  private let token = AccessToken()

  private func problem(
    _ method: HTTPMethod, _ fields: [(String, String)], uri: String = "/v1/now-playing",
    local: Bool = false, showsToken: Bool = true
  ) -> Int? {
    let hosts = LoopbackAddress(port: 7000).hosts
    var limits = ServiceLimits()
    (limits.body, limits.sessionBody) = (1000, 2000)
    let admission = Admission(
      transport: local ? .local : .loopback(hosts: hosts, token: token), limits: limits)
    let proof = showsToken ? [("Authorization", "Bearer \(token.text)")] : []
    return admission.problem(
      HTTPRequestHead(
        version: .http1_1, method: method, uri: uri, headers: HTTPHeaders(fields + proof)))?
      .status
  }

  @Test(arguments: ["127.0.0.1:7000", "localhost:7000", "LocalHost:7000", "[::1]:7000"])
  func `its own names are let in`(host: String) { #expect(problem(.GET, [("Host", host)]) == nil) }

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

  @Test(arguments: [
    HTTPMethod.GET, .HEAD, .OPTIONS, .PUT, .POST, .DELETE, .PATCH, .RAW(value: "PURGE"),
  ])
  func `every request over TCP needs the token`(method: HTTPMethod) {
    let fields = [("Host", "localhost:7000"), ("Content-Type", "application/json")]
    #expect(problem(method, fields, showsToken: false) == 401)
    for wrong in [
      "Bearer", "Bearer ", "Bearer x", "Basic \(token.text)", token.text, "Bearer \(token.text)x",
      "Bearer \(token.text.dropLast())0x".replacing("0x", with: "g"),
    ] {
      let refused = problem(method, fields + [("Authorization", wrong)], showsToken: false)
      #expect(refused == 401, "\(wrong)")
    }
    #expect(problem(method, fields + [("Authorization", "Bearer x")]) == 401)
    #expect(problem(method, fields) == nil)
    let lowercase = [("Authorization", "bearer \(token.text)")]
    #expect(problem(method, fields + lowercase, showsToken: false) == nil)
    #expect(problem(method, fields, local: true, showsToken: false) == nil)
  }

  @Test(arguments: [
    "/v1/now-playing", "/v1/sessions/a", "/v1/artworks", "/v1/artworks/a/1x1/preview", "/v1/leases",
    "/v1/events", "/v1/events?session=a", "/v1/%65vents", "/nowhere",
    "/healthz/", "/healthz/../v1/leases", "/%68ealthz", "/index.html",
  ])
  func `what reports sessions, files and IDs needs the token`(uri: String) {
    let host = ("Host", "localhost:7000")
    #expect(problem(.GET, [host], uri: uri, showsToken: false) == 401)
    #expect(problem(.HEAD, [host], uri: uri, showsToken: false) == 401)
    #expect(problem(.GET, [host], uri: uri) == nil)
  }

  @Test(arguments: ["/", "/?a", "/page.js", "/style.css", "/icon.svg", "/openapi.json", "/healthz"])
  func `the page's own files and the health are open to all`(uri: String) {
    let host = ("Host", "localhost:7000")
    #expect(problem(.GET, [host], uri: uri, showsToken: false) == nil)
    #expect(problem(.HEAD, [host], uri: uri, showsToken: false) == nil)
    #expect(problem(.DELETE, [host], uri: uri, showsToken: false) == 401)
    #expect(problem(.GET, [("Host", "evil.test")], uri: uri, showsToken: false) == 421)
    #expect(
      problem(.GET, [host, ("Origin", "http://127.0.0.1:7001")], uri: uri, showsToken: false)
        == 403)
  }

  @Test(arguments: [
    ["gzip"], ["gzip, chunked"], ["identity"], ["chunked", "chunked"], ["x"], [""],
  ])
  func `a body in a coding that it does not know is refused`(codings: [String]) {
    let fields = codings.map { ("Transfer-Encoding", $0) } + [("Content-Type", "application/json")]
    #expect(problem(.PUT, fields, local: true) == 501)
    #expect(
      problem(
        .PUT, [("Transfer-Encoding", "Chunked"), ("Content-Type", "application/json")], local: true)
        == nil)
  }

  @Test func `a body that is announced as too large is refused unread`() {
    let json = ("Content-Type", "application/json")
    #expect(problem(.PUT, [json, ("Content-Length", "1001")], local: true) == 413)
    #expect(problem(.PUT, [json, ("Content-Length", "1000")], local: true) == nil)
    // A session may hold a picture.
    for (bytes, status) in [("2000", nil), ("2001", 413)] as [(String, Int?)] {
      let fields = [json, ("Content-Length", bytes)]
      #expect(problem(.PATCH, fields, uri: "/v1/sessions/a", local: true) == status)
      #expect(problem(.POST, fields, uri: "/v1/sessions/a/commands", local: true) == 413)
    }
  }

  @Test(arguments: [
    "//", "//healthz", "/v1/artworks//1x1", "/v1/artworks//1x1/1x1", "/v1/artworks/a//?b", "/v1//",
  ])
  func `a path without a name between two slashes is refused`(uri: String) {
    #expect(problem(.PUT, [], uri: uri, local: true) == 400)
    #expect(problem(.GET, [("Host", "localhost:7000")], uri: uri) == 400)
    #expect(problem(.GET, [("Host", "localhost:7000")], uri: uri, showsToken: false) == 401)
  }

  @Test(arguments: ["/v1/artworks/", "/v1/artworks?a=//", "/v1/artworks/a%2F%2Fb/1x1", "/"])
  func `other slashes are let in`(uri: String) {
    #expect(problem(.GET, [], uri: uri, local: true) == nil)
  }

  @Test func `a target is a path`() {
    #expect(problem(.GET, [], uri: "http://evil.test/", local: true) == 400)
    #expect(problem(.OPTIONS, [], uri: "*", local: true) == 400)
  }
}
