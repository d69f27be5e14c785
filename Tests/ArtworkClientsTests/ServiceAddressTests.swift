import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel

@Suite struct ServiceAddressTests {
  @Test("The standard socket is where the environment states, and empty variables are ignored")
  func standard() throws {
    let both = ["ARTWORKD_SOCKET": "/a/b.sock", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(ServiceAddress.standard(environment: both) == .socket(path: "/a/b.sock"))
    let runtime = ["ARTWORKD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(
      ServiceAddress.standard(environment: runtime)
        == .socket(path: "/run/user/7/artworkd/artworkd.sock"))
    let relative = ServiceAddress.standard(environment: ["XDG_RUNTIME_DIR": "run"])
    #expect(relative == ServiceAddress.standard(environment: [:]))
    guard case .socket(let path) = relative else {
      Issue.record("no socket")
      return
    }
    #expect(path.contains(try Regex("^/tmp/artworkd-[0-9]+/artworkd\\.sock$")))
  }

  @Test(
    "A URL is taken for an address when it names a port",
    arguments: [
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:1/", "http://[::1]:1"),
      ("http://localhost:65535", "http://localhost:65535"),
    ])
  func reads(url: String, shown: String) { #expect(ServiceAddress(url: url)?.description == shown) }

  @Test(
    "Everything else is refused",
    arguments: [
      "127.0.0.1:80", "https://h:80", "http://h", "http://h:0", "http://h:65536", "http://:80",
      "http://h:80/v1", "http://user@h:80", "http://h:80?x",
    ])
  func refuses(url: String) { #expect(ServiceAddress(url: url) == nil) }

  @Test("What is shown of an address holds no token")
  func hidesToken() {
    let address = ServiceAddress(url: "http://h:80", token: "secret")
    #expect(address == .tcp(host: "h", port: 80, token: "secret"))
    #expect(address.map { "\($0)" } == "http://h:80")
  }

  @Test("Identifiers of any bytes are one segment of a path")
  func escapes() {
    #expect("a/b c%2F?#é".percentEncoded == "a%2Fb%20c%252F%3F%23%C3%A9")
    #expect(".".percentEncoded == "%2E")
    #expect("..".percentEncoded == "%2E%2E")
    #expect("...".percentEncoded == "...")
    #expect("A-z_0.9~".percentEncoded == "A-z_0.9~")
  }
}
