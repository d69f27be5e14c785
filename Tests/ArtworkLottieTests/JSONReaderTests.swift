import TestSupport

@testable import ArtworkLottie

@Suite struct JSONReaderTests {
  static func read(_ text: String) throws(InspectionError) -> JSONNode {
    try JSONReader.read(Array(text.utf8))
  }

  @Test(
    "what is read is written again, in the same order",
    arguments: [
      "null", "true", "[]", "{}", "0", "-1.5", #"{"b":1,"a":[2,{"c":"d"}],"b2":false}"#,
      #""ä\"\\\u0001😀""#, "0.0001", "60.0000024438501", "123456789012",
    ])
  func roundTrip(text: String) throws {
    let node = try Self.read(text)
    #expect(try JSONReader.read(node.bytes) == node)
    #expect(String(decoding: node.bytes, as: UTF8.self).count <= text.count)
  }

  @Test("space, a byte order mark, escapes and exponents are understood")
  func forms() throws {
    #expect(try Self.read("\u{feff} [ 1e2 , -0.5E-1 ]\n") == .list([.number(100), .number(-0.05)]))
    #expect(try Self.read(#""\u00e4\n\/\uD83D\ude00""#) == .text("ä\n/😀"))
    #expect(try Self.read(#""\ud800x""#).text?.hasSuffix("x") == true, "half a character")
  }

  @Test("the last of two fields of one name counts")
  func twice() throws {
    var node = try Self.read(#"{"a":1,"a":2}"#)
    #expect(node["a"] == .number(2))
    node["a"] = nil
    #expect(node == .object([]))
  }

  @Test(
    "a number beyond a Double is said to be too large, and where it starts",
    arguments: [
      ("1e999", 0), (#"{"v":-1e999}"#, 5), ("[1, \(String(repeating: "9", count: 400))]", 4),
    ])
  func tooLarge(text: String, place: Int) {
    let error = #expect(throws: InspectionError.self) { try Self.read(text) }
    #expect(error?.code == .notAMovie)
    #expect(error?.message == "the JSON has a number at byte \(place) that is too large")
    #expect(throws: Never.self) { try Self.read("[1.7976931348623157e308]") }
  }

  @Test("no depth overflows the stack")
  func depth() {
    for text in ["[", "{\"a\":", "[{\"a\":"] {
      let error = #expect(throws: InspectionError.self) {
        try Self.read(String(repeating: text, count: 100_000))
      }
      #expect(error?.code == .tooLarge)
    }
  }
}
