import NIOCore
import NIOHTTP1
import TestSupport

@testable import ArtworkClients
@testable import ArtworkService

@Suite struct MessageTests {
  private func problem(_ body: [UInt8]) -> Problem? {
    do throws(Problem) {
      _ = try JSON.decode(DeviceConditions.self, as: "ConditionsRequest", from: body)
      return nil
    } catch {
      return error
    }
  }

  /// JSONGrammarTests has the grammar.
  @Test(arguments: [
    #"{"lowPower":true,}"#, #"{"lowPower":true} // why"#, #"{"thermal":NaN}"#,
    #"{"lowPower":Infinity}"#, #"{"a"#, "", "nan",
  ])
  func `what RFC 8259 does not allow is refused`(text: String) {
    let found = problem(Array(text.utf8))
    #expect(found?.status == 400)
    #expect(found?.detail?.contains("not valid JSON") == true, "\(found?.detail ?? "")")
  }

  @Test(arguments: [
    String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32LittleEndian,
  ])
  func `other encodings than UTF-8 are refused`(encoding: String.Encoding) throws {
    let text = Array(try #require(#"{"lowPower":true}"#.data(using: encoding)))
    #expect(problem(text)?.detail == "the body is not UTF-8 (RFC 8259, 8.1)")
    #expect(problem(Array(#"{"a":"\u{e4}"}"#.data(using: .isoLatin1) ?? Data()))?.status == 400)
  }

  @Test(arguments: [
    "{}", " { \"lowPower\" : true , \"lowData\" : false }\n", #"{"supportedKeys":["1x1","3x4"]}"#,
  ])
  func `what it allows is read`(text: String) { #expect(problem(Array(text.utf8)) == nil) }

  @Test(arguments: [
    ("a%2Fb", "a/b"), ("%2e%2E", ".."), ("%00", "\0"), ("a+b", "a+b"), ("%C3%A9", "é"), ("é", "é"),
    ("%25", "%"),
  ])
  func `an identifier is decoded`(text: String, expected: String) {
    #expect(PercentEncoding.decode(text).map { Array($0.utf8) } == Array(expected.utf8))
  }

  @Test(arguments: ["%", "%1", "%zz", "%ff", "%C3", "a%", "%+1"])
  func `what is not properly encoded is refused`(text: String) {
    #expect(PercentEncoding.decode(text) == nil)
  }

  @Test func `a query has known names, each once, and plain numbers`() throws {
    let query = try Query("width=12&height=16384", known: ["width", "height"])
    #expect(try query.number("width", in: 1...16384) == 12)
    #expect(try query.number("height", in: 1...16384) == 16384)
    #expect(throws: Problem.self) { try Query("size=1", known: ["width"]) }
    #expect(throws: Problem.self) { try Query("width=1&width=1", known: ["width"]) }
    for wrong in ["0", "16385", "-1", "+1", "1.5", "", "1e3", "٣", "99999999999999999999"] {
      let query = try Query("width=\(wrong)", known: ["width"])
      #expect(throws: Problem.self) { try query.number("width", in: 1...16384) }
    }
  }

  @Test(arguments: [
    ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=90-", .part(90..<100)),
    ("bytes=-10", .part(90..<100)), ("bytes=-1000", .part(0..<100)),
    ("bytes=99-99999999999999999999", .part(99..<100)), ("bytes=100-", .notSatisfiable),
    ("bytes=-0", .notSatisfiable), ("bytes=9-0", .whole), ("bytes=0-1,5-6", .whole),
    ("items=0-1", .whole), ("bytes=", .whole), ("bytes=-", .whole),
    ("bytes=a-b", .whole), ("BYTES=5-5", .part(5..<6)),
    ("bytes=99999999999999999999-", .notSatisfiable),
  ])
  func `one range of bytes is understood`(field: String, expected: ByteRange) {
    #expect(ByteRange(field, of: 100) == expected)
  }

  @Test func `nothing is a range of nothing`() {
    #expect(ByteRange("bytes=0-", of: 0) == .notSatisfiable)
    #expect(ByteRange(nil, of: 0) == .whole)
  }

  @Test func `every failure of the store has a status of its own kind`() {
    for code in StoreError.Code.allCases {
      let problem = Problem(StoreError(code, "x"))
      #expect((400..<600).contains(problem.status))
      #expect(problem.code == code.rawValue)
      #expect((problem.retryAfterSeconds != nil) == (problem.status == 429))
    }
  }

  @Test(arguments: [
    "8000", "127.0.0.1", "0.0.0.0:1", "example.com:1", "127.0.0.1:", "127.0.0.1:65536",
    "127.0.0.1:-1", "::1:80", "[::]:80", "127.0.0.2:80",
  ])
  func `only loopback addresses are listened at`(text: String) {
    #expect(throws: StartError.self) { try LoopbackAddress(text) }
  }

  @Test func `a loopback address may have any of its names`() throws {
    #expect(try LoopbackAddress("localhost:80").description == "127.0.0.1:80")
    #expect(try LoopbackAddress("[::1]:0").description == "[::1]:0")
  }

  @Test func `a listener that sleeps is notified that it missed something, in bounded memory`()
    async throws
  {
    let queue = EventQueue(limit: 3, missed: "missed\n")
    for number in 0..<1000 { queue.add("\(number)\n") }
    queue.addIfEmpty("alive\n")
    queue.finish()
    var texts: [String] = []
    try await queue.deliver { texts.append($0) }
    #expect(texts == ["0\n1\n2\nmissed\n"])
  }
}
