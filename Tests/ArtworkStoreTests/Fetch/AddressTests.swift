import Testing

@testable import ArtworkClients
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

/// Which addresses may be fetched.
@Suite struct AddressTests {
  @Test(
    "an address of the Internet is public, and no other",
    arguments: [
      ("93.184.216.34", true), ("1.1.1.1", true), ("223.255.255.255", true), ("11.0.0.0", true),
      ("0.0.0.0", false), ("0.1.2.3", false), ("10.0.0.1", false), ("10.255.255.255", false),
      ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false),
      ("100.128.0.0", true), ("127.0.0.1", false), ("127.255.0.1", false),
      ("169.254.169.254", false), ("172.15.255.255", true), ("172.16.0.1", false),
      ("172.31.255.255", false), ("172.32.0.0", true), ("192.0.0.8", false), ("192.0.2.1", false),
      ("192.88.99.1", false), ("192.167.255.255", true), ("192.168.1.1", false),
      ("198.17.255.255", true), ("198.18.0.1", false), ("198.19.255.255", false),
      ("198.20.0.0", true), ("198.51.100.7", false), ("203.0.113.9", false), ("224.0.0.1", false),
      ("239.1.2.3", false), ("240.0.0.1", false), ("255.255.255.255", false),
      ("2606:4700::1111", true), ("2a00:1450:4001::1", true), ("::", false), ("::1", false),
      ("fe80::1", false), ("fec0::1", false), ("fc00::1", false), ("fdff::1", false),
      ("ff02::1", false), ("2001:db8::1", false), ("2001::1", false), ("2001:1ff::1", false),
      ("2001:200::1", true), ("3fff::1", false), ("100::1", false), ("5f00::1", false),
      ("::ffff:127.0.0.1", false), ("::ffff:a9fe:a9fe", false), ("::ffff:93.184.216.34", true),
      ("::127.0.0.1", false), ("64:ff9b::7f00:1", false), ("64:ff9b::10.0.0.1", false),
      ("64:ff9b::5db8:d822", true), ("64:ff9b:1::5db8:d822", false), ("2002:7f00:1::", false),
      ("2002:c0a8:101::1", false), ("2002:5db8:d822::1", true),
    ])
  func table(text: String, isPublic: Bool) throws {
    #expect(try #require(IPAddress(text)).isPublic == isPublic)
  }

  @Test(
    "other spellings of addresses are no addresses",
    arguments: ["127.1", "0x7f.0.0.1", "2130706433", "0177.0.0.1", "fe80::1%lo", "", "[::1]"])
  func spellings(text: String) { #expect(IPAddress(text) == nil) }

  private static let list = Result {
    try AllowList([
      "https://media.example.com/covers", "https://*.cdn.example.com", "http://10.1.2.3:8080/",
      "http://localhost:9000", "http://[::1]:9001/a/",
    ])
  }

  @Test(
    "what begins as an entry does is allowed, segment by segment",
    arguments: [
      ("https://media.example.com/covers/a.mp4", true),
      ("HTTPS://MEDIA.example.com/covers/a.mp4?x=/../y", true),
      ("https://media.example.com:443/covers/a.mp4", true),
      ("https://media.example.com/covers", true),
      ("https://media.example.com/covers-internal/a.mp4", false),
      ("https://media.example.com/Covers/a.mp4", false),
      ("https://media.example.com/other/covers/a.mp4", false),
      ("http://media.example.com/covers/a.mp4", false),
      ("https://media.example.com:8443/covers/a.mp4", false),
      ("https://media.example.com/covers/../secret", false),
      ("https://media.example.com/covers/%2e%2E/secret", false),
      ("https://media.example.com/covers/%252e%252e/secret", false),
      ("https://media.example.com/covers/%25252e%25252e/secret", false),
      ("https://media.example.com/covers/%25%32e%2%65/secret", false),
      ("https://media.example.com/covers/a%2525252fb", false),
      ("https://media.example.com/covers/a%255C..%5cb", false),
      ("https://media.example.com/covers/100%25 %20.mp4", false),
      ("https://media.example.com/covers/100%25%20.%25.mp4", true),
      ("https://media.example.com/covers/..%2fsecret", false),
      ("https://media.example.com/covers/a%5c..%5cb", false),
      ("https://media.example.com/covers\\@evil.test/", false),
      ("https://media.example.com@evil.test/covers/a.mp4", false),
      ("https://user:secret@media.example.com/covers/a.mp4", false),
      ("https://evil.test#@media.example.com/covers/", false),
      ("https://media.example.com.evil.test/covers/a", false),
      ("https://media.example.com./covers/a", false),
      ("https://a.cdn.example.com/x", true), ("https://a.b.cdn.example.com/x", true),
      ("https://cdn.example.com/x", false), ("https://evilcdn.example.com/x", false),
      ("http://10.1.2.3:8080/x", true), ("http://10.1.2.3/x", false),
      ("http://localhost:9000/x", true), ("http://[::1]:9001/a/b", true),
      ("http://[::1]:9001/ab", false), ("http://[::1%25lo]:9001/a/b", false),
      ("file:///etc/passwd", false), ("ftp://media.example.com/covers/", false),
      ("https:///covers/a", false), ("https://media.example.com/covers/a b", false),
      ("https://media.example.com/covers/a\r\nX: y", false),
      ("https://media.example.com/covers/ü", false), ("", false),
      ("https://media.example.com:/covers/", false),
      ("https://media.example.com:99999/covers/", false),
    ])
  func prefixes(url: String, isAllowed: Bool) throws {
    let fetcher = WebFetcher(try Self.list.get())
    let isTaken = (try? fetcher.check(url)) != nil
    #expect(isTaken == isAllowed)
  }

  @Test(
    "an entry that is no address is a mistake",
    arguments: [
      "example.com", "https://", "https://*.*.com", "https://*", "ftp://a", "https://a/?q",
      "http://*.10.0.0.1",
    ])
  func mistakes(entry: String) {
    #expect(throws: AllowList.InvalidPrefix.self) { try AllowList([entry]) }
  }

  @Test(
    "a private address is connected to only where the entry itself names it",
    arguments: [
      ("http://10.1.2.3:8080/x", "10.1.2.3", true), ("http://10.1.2.3:8080/x", "10.1.2.4", false),
      ("http://localhost:9000/x", "127.0.0.1", true), ("http://localhost:9000/x", "::1", true),
      ("http://localhost:9000/x", "10.0.0.1", false),
      ("https://media.example.com/covers/a", "127.0.0.1", false),
      ("https://media.example.com/covers/a", "93.184.216.34", true),
      ("https://a.cdn.example.com/x", "169.254.169.254", false),
    ])
  func places(url: String, ip: String, isRight: Bool) throws {
    let address = try #require(IPAddress(ip))
    let list = try Self.list.get()
    let asked = try WebAddress(url)
    #expect(list.admits(address, for: asked) == isRight)
  }

  @Test(
    "where a redirection leads",
    arguments: [
      ("/b?x", "https://a.test:443/b?x"), ("b", "https://a.test:443/one/b"),
      ("//c.test/d", "https://c.test:443/d"), ("http://c.test:81/d", "http://c.test:81/d"),
      ("/login?next=https://c.test/", "https://a.test:443/login?next=https://c.test/"),
      ("b?at=1:2", "https://a.test:443/one/b?at=1:2"), ("?p=2", "https://a.test:443/one/two?p=2"),
    ])
  func redirections(location: String, target: String) throws {
    let address = try WebAddress("https://a.test/one/two?q#f")
    #expect(try address.redirected(to: location).description == target)
  }
}
