/// JSON text with keys in a fixed order, for files that people read.
enum JSONText {
  case text(String)
  case number(Int)
  case bool(Bool)
  case list([JSONText])
  case object([(String, JSONText)])

  static func words(_ words: [String]) -> JSONText { .list(words.map(JSONText.text)) }

  /// Indented by two spaces a level; lists of scalars on one line.
  func rendered(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .text(let text): return Self.quoted(text)
    case .number(let number): return "\(number)"
    case .bool(let bool): return "\(bool)"
    case .list(let items):
      if items.allSatisfy(\.isScalar) {
        return "[" + items.map { $0.rendered() }.joined(separator: ", ") + "]"
      }
      return "[\n" + items.map { inner + $0.rendered(indent: inner) }.joined(separator: ",\n")
        + "\n\(indent)]"
    case .object(let entries):
      if entries.isEmpty { return "{}" }
      return "{\n"
        + entries.map { "\(inner)\(Self.quoted($0)): \($1.rendered(indent: inner))" }
        .joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  /// The text on one line.
  var line: String {
    switch self {
    case .text, .number, .bool: rendered()
    case .list(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let entries):
      "{" + entries.map { "\(Self.quoted($0)): \($1.line)" }.joined(separator: ", ") + "}"
    }
  }

  private var isScalar: Bool {
    switch self {
    case .text, .number, .bool: true
    case .list, .object: false
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      // Control characters, and the two characters that JavaScript treats as line ends in strings.
      case "\0"..<" ", "\u{7f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
