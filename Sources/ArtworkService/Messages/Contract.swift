import ArtworkModel
import ArtworkPipeline
import CEmbedded
import Glibc

/// The bodies of requests that openapi.json allows. Its schemas (JSON Schema 2020-12) are the only declaration of fields and
/// limits: what ArtworkModel decodes has been checked here, and a session that was stored before needs no check.
///
/// Supports the keywords that the document uses. `x-maxTextBytes` limits the bytes of all texts in an object, besides those
/// from a list of words; each element of a list counts as 64 bytes more.
struct Contract: Sendable {
  private let document: JSONNode

  static let served = unsafe Contract([UInt8](embedded_openapi_json))

  init(_ document: [UInt8]) {
    // The tests read it.
    self.document = (try? JSONReader.read(document)) ?? .null
  }

  /// - Parameter name: of a schema among the components.
  /// - Throws: a ``Problem`` that names the first field that does not match.
  func check(_ body: JSONNode, as name: String) throws(Problem) {
    var check = Check(document: document)
    let reference = JSONNode.text("#/components/schemas/\(name)")
    try check.check(body, .object([.init(name: "$ref", value: reference)]))
  }
}

private struct Check {
  let document: JSONNode
  /// The names and indices from the body to the value.
  var path: [String] = []
  var textBytes = 0

  mutating func check(_ value: JSONNode, _ given: JSONNode) throws(Problem) {
    let schema = resolved(given)
    if let choices = schema["oneOf"]?.items {
      return try check(value, oneOf: choices.map(resolved))
    }
    for part in schema["allOf"]?.items ?? [] { try checkApart(value, part) }
    if let condition = schema["if"] {
      let holds = (try? checkApart(value, condition)) != nil
      if let branch = holds ? schema["then"] : schema["else"] { try checkApart(value, branch) }
    }
    try checkType(of: value, schema)
    let words = schema["enum"]?.items
    if let words, !words.contains(value) {
      throw refusal("it must be one of \(words.compactMap(\.text).joined(separator: ", "))")
    }
    switch value {
    case .text(let text):
      if words == nil { textBytes += text.utf8.count }
      try check(text.unicodeScalars.count, "Length", "characters", schema)
      try check(text, schema)
    case .number(let number): try check(number, schema)
    case .list(let items):
      try check(items.count, "Items", "elements", schema)
      try check(items, schema)
    case .object(let fields): try check(fields, of: value, schema)
    case .null, .bool: break
    }
  }

  private func resolved(_ schema: JSONNode) -> JSONNode {
    guard let reference = schema["$ref"]?.text else { return schema }
    let target = reference.split(separator: "/").dropFirst()
      .reduce(document as JSONNode?) { $0?[String($1)] }
    return resolved(target ?? .null)
  }

  /// Checks a part of a schema, whose texts count as those of the whole.
  private func checkApart(_ value: JSONNode, _ schema: JSONNode) throws(Problem) {
    var check = self
    try check.check(value, schema)
  }

  // MARK: Alternatives

  /// Checks the alternative that a word of the value chooses, such as its `command`, or else the one whose fields it has.
  private mutating func check(_ value: JSONNode, oneOf choices: [JSONNode]) throws(Problem) {
    let objects = choices.filter { $0["type"] != .text("null") }
    if value == .null, objects.count < choices.count { return }
    guard objects.count > 1 else {
      for object in objects { try check(value, object) }
      return
    }
    func words(_ name: String, _ choice: JSONNode) -> [JSONNode] {
      choice["properties"]?[name]?["enum"]?.items ?? []
    }
    var alike = objects
    let kind = required(by: objects[0]).first { name in
      !objects.contains { words(name, $0).isEmpty }
    }
    if let kind {
      alike = objects.filter { words(kind, $0).contains(value[kind] ?? .null) }
      if alike.isEmpty {
        path.append(kind)
        guard value[kind] != nil else { throw missing }
        let all = objects.flatMap { words(kind, $0) }.compactMap(\.text)
        throw refusal("it must be one of \(all.joined(separator: ", "))")
      }
    }
    let complete = alike.first { required(by: $0).allSatisfy { value[$0] != nil } }
    try check(value, complete ?? alike[0])
  }

  private func required(by schema: JSONNode) -> [String] {
    (schema["required"]?.items ?? []).compactMap(\.text)
  }

  // MARK: Keywords

  private func checkType(of value: JSONNode, _ schema: JSONNode) throws(Problem) {
    guard let type = schema["type"] else { return }
    if (type.items + [type]).compactMap(\.text).contains(where: value.isOf) { return }
    if value == .null { throw Problem.badRequest("\(place) must not be null") }
    throw refusal("it must be \(expectation(schema))")
  }

  private func expectation(_ schema: JSONNode) -> String {
    let type = schema["type"].flatMap { $0.text ?? $0[0]?.text } ?? ""
    return switch type {
    case "object": "an object"
    case "array": "a list"
    case "string": "a text"
    case "boolean": "true or false"
    case "null": "absent"
    default: (type == "integer" ? "a whole number" : "a number") + range(schema)
    }
  }

  private func range(_ schema: JSONNode) -> String {
    let most = schema["maximum"]?.json
    if let least = schema["minimum"]?.json {
      return most.map { " from \(least) to \($0)" } ?? " of at least \(least)"
    }
    if let least = schema["exclusiveMinimum"]?.json {
      return " above \(least)" + (most.map { ", at most \($0)" } ?? "")
    }
    return schema["not"]?["const"].map { " other than \($0.json)" } ?? ""
  }

  private func check(_ number: Double, _ schema: JSONNode) throws(Problem) {
    let isAllowed =
      number.isFinite && number >= schema["minimum"]?.number ?? -.infinity
      && number <= schema["maximum"]?.number ?? .infinity
      && number > schema["exclusiveMinimum"]?.number ?? -.infinity
      && number != schema["not"]?["const"]?.number
    if !isAllowed { throw refusal("it must be \(expectation(schema))") }
  }

  /// - Parameter suffix: of the keywords `min` and `max`.
  private func check(
    _ count: Int, _ suffix: String, _ what: String, _ schema: JSONNode
  ) throws(Problem) {
    guard let most = schema["max\(suffix)"] else { return }
    let least = schema["min\(suffix)"] ?? .number(0)
    if Double(count) < least.number ?? 0 || Double(count) > most.number ?? .infinity {
      throw refusal("it must have \(least.json) to \(most.json) \(what), not \(count)")
    }
  }

  private func check(_ text: String, _ schema: JSONNode) throws(Problem) {
    guard let pattern = schema["pattern"]?.text else { return }
    var expression = unsafe regex_t()
    guard unsafe regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) == 0 else { return }
    defer { unsafe regfree(&expression) }
    // The text ends at a byte 0 in C.
    guard unsafe text.contains("\0") || regexec(&expression, text, 0, nil, 0) != 0 else { return }
    let meaning = schema["description"]?.text.map { " (\($0))" } ?? ""
    throw refusal("it must match \(pattern)\(meaning)")
  }

  private mutating func check(_ items: [JSONNode], _ schema: JSONNode) throws(Problem) {
    if schema["uniqueItems"] == .bool(true),
      let twin = items.indices.first(where: { items[..<$0].contains(items[$0]) })
    {
      throw refusal("it names \(items[twin].json) twice")
    }
    guard let element = schema["items"] else { return }
    for (index, item) in items.enumerated() {
      textBytes += 64
      path.append("[\(index)]")
      try check(item, element)
      path.removeLast()
    }
  }

  private mutating func check(
    _ fields: [JSONNode.Field], of value: JSONNode, _ schema: JSONNode
  ) throws(Problem) {
    let before = textBytes
    let properties = schema["properties"] ?? .object([])
    if schema["additionalProperties"] == .bool(false),
      let unknown = fields.map(\.name).filter({ properties[$0] == nil }).min()
    {
      path.append(unknown)
      throw refusal("unknown field; known: \(properties.names.sorted().joined(separator: ", "))")
    }
    var seen: Set<String> = []
    for field in fields {
      path.append(field.name)
      guard seen.insert(field.name).inserted else {
        throw refusal("it is there twice in one object")
      }
      if let property = properties[field.name] { try check(field.value, property) }
      path.removeLast()
    }
    let dependent = seen.flatMap { schema["dependentRequired"]?[$0]?.items ?? [] }
    for name in required(by: schema) + dependent.compactMap(\.text) where !seen.contains(name) {
      path.append(name)
      throw missing
    }
    let bytes = textBytes - before
    if let limit = schema["x-maxTextBytes"], Double(bytes) > limit.number ?? .infinity {
      throw refusal("it must have at most \(limit.json) bytes of texts and pictures, not \(bytes)")
    }
  }

  // MARK: Problems

  private var missing: Problem { .badRequest("\(place) is missing") }

  private func refusal(_ reason: String) -> Problem { .badRequest("\(place): \(reason)") }

  /// The place as in a program: `content.chapters[0].title`.
  private var place: String {
    path.isEmpty
      ? "the body"
      : path.reduce(into: "") { text, step in
        text += (text.isEmpty || step.hasPrefix("[") ? "" : ".") + step
      }
  }
}

extension JSONNode {
  /// Whether it has a type of JSON Schema.
  fileprivate func isOf(_ type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && Int64(exactly: number) != nil
    case .text: type == "string"
    case .list: type == "array"
    case .object: type == "object"
    }
  }

  fileprivate var json: String { String(decoding: bytes, as: UTF8.self) }

  var names: [String] {
    if case .object(let fields) = self { fields.map(\.name) } else { [] }
  }
}
