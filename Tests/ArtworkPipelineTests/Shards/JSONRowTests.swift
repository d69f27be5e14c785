import Foundation
import TestSupport
import Testing

@testable import ArtworkPipeline
@testable import ArtworkReports
@testable import ArtworkRules

/// Reading and laying out JSON without decoding it, against Foundation.
@Suite struct JSONRowTests {
  static let objects = [
    #"{}"#, #"{"a":1}"#, #"{"a":[],"b":{},"c":[[],[{}]]}"#,
    #"{"a":"x,y:{}[]","b":[1,2.5e-3,-0,true,null],"c":{"d":"\"\\","e":{"f":[{"g":"é🎵"}]}}}"#,
    #"{"quote\"d":"\u00e9 \/ \\\" ","z":"\\"}"#,
  ]

  @Test("lines are those of Foundation's encoder", arguments: objects)
  func indent(json: String) throws {
    let value = try JSONDecoder().decode(AnyJSON.self, from: Data(json.utf8))
    func encoded(_ options: JSONEncoder.OutputFormatting) throws -> [UInt8] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = options.union([.sortedKeys, .withoutEscapingSlashes])
      return Array(try encoder.encode(value))
    }
    let lines = JSONIndent.lines(try encoded([]), depth: 0)
    #expect(
      String(decoding: lines, as: UTF8.self)
        == String(decoding: try encoded(.prettyPrinted), as: UTF8.self))
  }

  @Test("members are found, and every start of a row is refused", arguments: objects)
  func members(json: String) throws {
    let bytes = Array(json.utf8)
    let row = try #require(JSONRow(bytes))
    let parsed = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(row.members.count == parsed.count)
    for length in 0..<bytes.count { #expect(JSONRow(Array(bytes[..<length])) == nil) }
    #expect(JSONRow(bytes + [UInt8(ascii: "}")]) == nil)
  }

  @Test("a member is cut out with its comma")
  func cut() throws {
    let bytes = Array(#"{"a":1,"b":{"x":[1,2]},"c":"t"}"#.utf8)
    let row = try #require(JSONRow(bytes))
    for (name, left) in [
      ("a", #"{"b":{"x":[1,2]},"c":"t"}"#), ("b", #"{"a":1,"c":"t"}"#),
      ("c", #"{"a":1,"b":{"x":[1,2]}}"#),
    ] {
      let place = try #require(row.place(name))
      #expect(
        String(decoding: bytes[..<place.lowerBound] + bytes[place.upperBound...], as: UTF8.self)
          == left)
      #expect(String(decoding: row.without(.init(names: [name])), as: UTF8.self) == left)
    }
    #expect(row.text("c") == "t" && row.number("a") == 1 && row.text("a") == nil)
    #expect(
      String(decoding: row.without(.init(names: ["a"], inside: ["b": ["x"]])), as: UTF8.self)
        == #"{"b":{},"c":"t"}"#)
  }

  @Test("a result that is read and written again has the same bytes")
  func roundTrip() throws {
    let lines = try CheckedFixtures.lines()
    for line in lines.dropLast() {
      let report = try CandidateReport(line: Array(line.utf8))
      // Destinations of several profiles have an order only in evidence; here is one.
      #expect(try JSONReport.line(report) == line + "\n")
    }
  }

  @Test(
    "a shard is I/N",
    arguments: [
      ("1/1", true), ("3/64", true), ("64/64", true), ("0/1", false), ("2/1", false), ("1/", false),
      ("/1", false), ("1/1/1", false), ("a/b", false), ("-1/2", false), ("1/1000001", false),
    ])
  func shard(text: String, isOne: Bool) {
    #expect((Shard(text) != nil) == isOne)
    if isOne { #expect(Shard(text)?.description == text) }
  }

  @Test("each name belongs to one shard, and shards are of similar size")
  func division() {
    let names = (0..<2000).map { "release \($0)" }
    for count in [1, 2, 7, 64] {
      let shards = (1...count).compactMap { Shard("\($0)/\(count)") }
      let sizes = shards.map { shard in names.count { shard.holds($0) } }
      #expect(sizes.reduce(0, +) == names.count)
      #expect(sizes.allSatisfy { $0 > 2000 / count / 3 })
    }
  }
}

/// Any JSON, for comparison.
private enum AnyJSON: Codable {
  case object([String: AnyJSON])
  case list([AnyJSON])
  case text(String)
  case bool(Bool)
  case number(Double)
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([AnyJSON].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: AnyJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .null: try container.encodeNil()
    }
  }
}
