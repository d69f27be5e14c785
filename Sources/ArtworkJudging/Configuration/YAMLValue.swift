/// A value of a YAML document and its place, with aliases and merge keys resolved. Scalars are kept as text: YAML
/// would interpret `off` as a boolean and `9:16` as a number of minutes.
struct YAMLValue {
  enum Content {
    /// Plain ones have no quotes.
    case scalar(String, isPlain: Bool)
    case list([YAMLValue])
    case map([Entry])
  }

  struct Entry {
    var key: String
    /// Place of the key.
    var place: SourcePlace
    var value: YAMLValue
  }

  var content: Content
  var place: SourcePlace

  /// The text of a scalar that is not null.
  var text: String? {
    guard !isNull, case .scalar(let text, _) = content else { return nil }
    return text
  }

  /// Empty, or one of YAML's words for null: a key whose value is commented out.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// The items of a list; a scalar is a list of one.
  var items: [YAMLValue] {
    switch content {
    case .list(let items): items
    case .scalar: isNull ? [] : [self]
    case .map: []
    }
  }

  /// Entries of a mapping that have a value.
  var entries: [Entry] {
    guard case .map(let entries) = content else { return [] }
    return entries.filter { !$0.value.isNull }
  }

  /// The value of a key; `nil` also if it is null.
  subscript(key: String) -> YAMLValue? { entries.first { $0.key == key }?.value }

  /// The name of its kind, for messages.
  var kind: String {
    switch content {
    case .scalar(let text, _): isNull ? "nothing" : "`\(text)`"
    case .list: "a list"
    case .map: "a mapping"
    }
  }
}
