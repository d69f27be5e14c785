package import ArtworkModel
import Foundation
import Testing

/// JSON as tests look at it: `#expect(json.at("results.0.verdict") == "pass")`.
extension JSONNode {
  package static func read(_ text: String) throws -> JSONNode {
    try JSONReader.read(Array(text.utf8))
  }

  /// What is at a path of names and numbers, such as `sessions.0.id`; `nil` if nothing is. `*` stands for all elements of a
  /// list: what they have at the rest of the path is a list, without those that have nothing.
  package func at(_ path: String) -> JSONNode? {
    let (name, rest) = path.cut
    if name == "*" { return .list(items.compactMap { item in rest.map { item.at($0) } ?? item }) }
    let node = Int(name).map { self[$0] } ?? self[name]
    return rest.map { rest in node?.at(rest) } ?? node
  }

  /// The texts in the list at a path.
  package func texts(_ path: String) -> [String] { at(path)?.items.compactMap(\.text) ?? [] }

  /// The element of the list at a path whose field has this text.
  package func first(_ path: String, _ field: String, _ text: String) -> JSONNode? {
    at(path)?.items.first { $0[field]?.text == text }
  }

  package var int: Int? { number.flatMap { Int(exactly: $0) } }

  /// The fields of an object, in order.
  package var fieldNames: [String] {
    if case .object(let fields) = self { fields.map(\.name) } else { [] }
  }
}

extension String {
  /// The part before the first dot, and the rest.
  fileprivate var cut: (String, String?) {
    let parts = split(separator: ".", maxSplits: 1).map(String.init)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }
}

extension JSONNode: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self = .text(text) }
}

extension JSONNode: ExpressibleByIntegerLiteral {
  package init(integerLiteral number: Int) { self = .number(Double(number)) }
}

extension JSONNode: ExpressibleByFloatLiteral {
  package init(floatLiteral number: Double) { self = .number(number) }
}

extension JSONNode: ExpressibleByBooleanLiteral {
  package init(booleanLiteral bool: Bool) { self = .bool(bool) }
}

extension JSONNode: ExpressibleByArrayLiteral {
  package init(arrayLiteral items: JSONNode...) { self = .list(items) }
}

extension JSONNode: CustomTestStringConvertible {
  package var testDescription: String { String(decoding: bytes, as: UTF8.self) }
}

extension BuiltTool.Result {
  /// The JSON document that was printed.
  package var json: JSONNode { get throws { try JSONNode.read(output) } }

  /// The JSON documents of NDJSON output.
  package var rows: [JSONNode] { get throws { try lines.map(JSONNode.read) } }
}
