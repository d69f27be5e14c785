import TestSupport

@testable import ArtworkLottie

/// What RFC 8259 allows is read and everything else refused, by the cases of JSONTestSuite
/// (github.com/nst/JSONTestSuite): its names begin with y, n, and i for what readers may decide.
@Suite struct JSONGrammarTests {
  private static func isRead(_ bytes: [UInt8]) throws -> Bool {
    do throws(InspectionError) {
      _ = try JSONReader.read(bytes)
      return true
    } catch {
      #expect(error.code == .notAMovie, "\(bytes)")
      return false
    }
  }

  private static func isRead(_ text: String) throws -> Bool { try isRead(Array(text.utf8)) }

  @Test(
    "y: what the grammar allows",
    arguments: [
      // Arrays and white space.
      "[[]   ]", #"[""]"#, "[]", "[\"a\"]\n", "[false]", #"[null, 1, "1", {}]"#, "[1\n]", " [1]",
      "[1,null,null,null,2]", "[2] ", "\t[\r\n1\t,\r2 ]\n", " [] ",
      // Numbers.
      "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.\(String(repeating: "0", count: 77))1]", "[20e1]",
      "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123.456e78]", "[1e-2]", "[1e+2]",
      "[0]", "[0.0]", "[-0.0e0]", "[10]", "[100.001]", "42", "-0.1",
      // Objects.
      #"{"asd":"sdf", "dfg":"fgh"}"#, #"{"a":"b","a":"c"}"#, #"{"a":"b","a":"b"}"#, "{}",
      #"{"":0}"#,
      #"{"foo\u0000bar": 42}"#, #"{ "min": -1.0e+28, "max": 1.0e+28 }"#, #"{"a":[]}"#,
      #"{"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430"}"#, "{\n\"a\": \"b\"\n}",
      // Texts.
      #"["\u0060\u012a\u12AB"]"#, #"["\uD801\udc37"]"#, #"["\ud83d\ude39\ud83d\udc8d"]"#,
      #"["\"\\\/\b\f\n\r\t"]"#, #"["\\u0000"]"#, #"["a/*b*/c/*d//e"]"#, #"["\\a"]"#, #"["\u0012"]"#,
      #"["\uFFFF"]"#, #"["\uDBFF\uDFFF"]"#, #"["new\u00A0line"]"#, "[\"\u{10ffff}\"]",
      "[\"\u{ffff}\"]", #"["\u0000"]"#, "[\"π\"]", "[\"\u{2028}\u{2029}\"]", #"["new\u000Aline"]"#,
      "[\"\u{7f}\"]", "[\"⍂㈴⍂\"]", #"["\u0022\u005C"]"#, #"" ""#, #""""#,
      // A document of one word.
      "true", "false", "null",
    ])
  func allowed(text: String) throws {
    #expect(try Self.isRead(text))
  }

  private static let structure = [
    "[1 true]", #"["": 1]"#, #"[""],"#, "[,1]", "[1,,2]", #"["x",,]"#, #"["x"]]"#, #"["",]"#,
    #"["x""#, "[x", "[3[4]]", "[1:2]", "[,]", "[-]", #"[   , ""]"#, "[\"a\",\n4\n,1,", "[1,]",
    "[1,,]", "[*]", #"[""#, "[1,", "[1,\n1\n,1", "[{}", "[fals]", "[nul]", "[tru]", "[True]",
    #"["x", truth]"#, "{[: \"x\"}\n", #"{"x", null}"#, #"{"x"::"b"}"#, "{🇨🇭}", #"{"a":"a" 123}"#,
    "{key: 'value'}", #"{"a" b}"#, #"{:"b"}"#, #"{"a" "b"}"#, #"{"a":"#, #"{"a""#, "{1:1}",
    "{9999E9999:1}", "{null:null,null:null}", #"{"id":0,,,,,}"#, "{'a':0}", #"{"id":0,}"#,
    #"{"a":"b"}/**/"#, #"{"a":"b"}//"#, #"{"a":"b"}/"#, #"{"a":"b",,"c":"d"}"#, #"{"a":"a"#,
    #"{ "foo" : "bar", "a" }"#, #"{"a":"b"}#"#, #"{"x": true,"#, " ", "", "[1]x", "[1]]",
    #"["asd]"#, "1]", "[][]", "]", "[", "{", "{]", "[}", "<.>", "[<null>]", "[\u{2060}]", "aå",
    #"[\u000A""]"#, "*", "[\"a\"", "{\"a\":\"b\"", "{,", "[,", #""x" 1"#,
  ]

  private static let space = [
    "[\u{b}1]", "[\u{c}1]", "[1\u{b}]", "[1]\u{c}", "\u{b}", "[\u{a0}1]", "[\u{85}1]",
  ]

  private static let numbers = [
    "++1234", "+1", "+Inf", "-01", "-1.0.", "-2.", "-NaN", ".-1", ".2e-3", "0.1.2", "0.3e+",
    "0.3e", "0.e1", "0E+", "0E", "0e+", "0e", "1.0e+", "1.0e-", "1.0e", "1 000.0", "1eE2",
    "2.e+3", "2.e-3", "2.e3", "9.e+", "Inf", "NaN", "１", "1+2", "0x1", "0x42", "Infinity",
    "0e+-1", "-123.123foo", "-Infinity", "-foo", "- 1", "-012", "-.123", "-1x", "1ea", "1.",
    ".123", "1.2a-3", "1.8011670033376514H-308", "012", "00", "-00", "01.5", "-", "1_000", "1e",
    "1-", "0 0", "123\u{0}",
  ]

  private static let texts = [
    #"["\uD800\"]"#, #"["\uD800\u"]"#, #"["\uD800\u1"]"#, #"["\uD800\u1x"]"#, "[é]",
    "[\"\\\u{0}\"]", #"["\x00"]"#, #"["\\\"]"#, "[\"\\\t\"]", "[\"\\🌀\"]", #"["\"]"#,
    #"["\u00A"]"#, #"["\uD834\uDd"]"#, #"["\uD800\uD800\x"]"#, #"["\a"]"#, #"["\uqqqq"]"#,
    #"["\v"]"#, #"["\'"]"#, #"["\N"]"#, #"["\U0041"]"#, "[\"\\\n\"]", #"[\u0020"asd"]"#, #"[\n]"#,
    "\"", "['single quote']", "abc", #"["\"#, "[\"a\u{0}a\"]", "[\"new\nline\"]", "[\"\t\"]",
    "[\"\u{1f}\"]", "[\"\\n\u{1}\"]", "{\"a\tb\":1}", #""\UA66D""#, #"""x"#,
  ]

  @Test(
    "n: arrays and objects, white space that is none, numbers in an array and alone, and texts",
    arguments: structure + space + numbers + numbers.map { "[\($0)]" } + texts)
  func refused(text: String) throws { #expect(try !Self.isRead(text)) }

  @Test("n: every control character in a text, raw, before and after an escape")
  func controls() throws {
    for byte in UInt8(0)..<0x20 {
      #expect(try !Self.isRead(Array("\"a".utf8) + [byte] + Array("\"".utf8)), "\(byte)")
      #expect(try !Self.isRead(Array("\"\\n".utf8) + [byte] + Array("\"".utf8)), "\(byte)")
    }
    // Between values only four of all bytes may stand.
    let space = try (UInt8.min...UInt8.max).filter { byte in
      try Self.isRead(Array("[1".utf8) + [byte] + Array(",2]".utf8))
    }
    #expect(space == [0x09, 0x0a, 0x0d, 0x20] + Array(UInt8(ascii: "0")...UInt8(ascii: "9")))
  }

  @Test("n: bytes that are no text where none belong")
  func bytes() throws {
    let ff: [UInt8] = [0xff]
    for (start, end) in [
      ("[", "]"), ("[a", "]"), ("[0", "]"), ("[1e1", "]"), ("[123", "]"), (#"["\"#, #""]"#),
      (#"["\u"#, #""]"#), ("{", ":1}"), ("", "{}"), ("{}", ""),
    ] {
      #expect(try !Self.isRead(Array(start.utf8) + ff + Array(end.utf8)), "\(start)ff\(end)")
    }
    // Part of a byte order mark, one after the start, and UTF-16.
    #expect(try !Self.isRead([0xef, 0xbb, 0x7b, 0x7d]))
    #expect(try !Self.isRead("{\u{feff}}"))
    #expect(try !Self.isRead([0xfe, 0xff, 0, 0x5b, 0, 0x5d]))
  }

  @Test("i: half a character and bytes that are no UTF-8 become the replacement character")
  func repaired() throws {
    #expect(try JSONReader.read(Array(#"["\uD800"]"#.utf8))[0] == .text("\u{fffd}"))
    #expect(try JSONReader.read(Array("\"".utf8) + [0xff] + Array("\"".utf8)) == .text("\u{fffd}"))
    #expect(try JSONReader.read([0xef, 0xbb, 0xbf, 0x7b, 0x7d]) == .object([]))
    #expect(try !Self.isRead("[1e999]"), "no number of a computer's")
  }

  /// Public animations, as several exporters wrote them.
  static let publicFiles: [URL] = ["lottie", "lottie2"].flatMap { name in
    let folder = Checkout.root.deletingLastPathComponent().appendingPathComponent("shared/\(name)")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "json" }
  }

  @Test(
    "public animations are read, with what Foundation reads in them",
    .enabled(if: !publicFiles.isEmpty, "../shared/lottie is not there"))
  func publicAnimations() throws {
    for file in Nightly.some(30, of: Self.publicFiles) {
      let data = try Data(contentsOf: file)
      let node = try JSONReader.read(Array(data))
      let other = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(node["op"]?.number == (other["op"] as? NSNumber)?.doubleValue, "\(file.path)")
      #expect(node["layers"]?.items.count == (other["layers"] as? [Any])?.count, "\(file.path)")
    }
  }
}
