/// The shape of a value in the configuration. One table of these validates files, and generates the JSON Schema and
/// the file that `artworkd explain artwork.yml` prints.
indirect enum ValueShape: Sendable {
  /// One of these words.
  case word([String])
  case text(TextForm)
  /// A list of these, or one alone.
  case list(ValueShape)
  /// These keys and no others; `noun` names one in messages.
  case map([ConfigurationKey], noun: String)
  /// Keys of the writer's choice that have this form.
  case named(ValueShape, TextForm)
  /// A scalar of the first shape or a mapping of the second.
  case either(ValueShape, ValueShape)
}

/// A key of a mapping.
struct ConfigurationKey: Sendable {
  let name: String
  /// Its purpose, in a few words.
  let summary: String
  let shape: ValueShape
  let isRequired: Bool
  /// What `artworkd explain artwork.yml` prints for a key of the whole document: more about it, and lines with an example.
  let note: String
  let example: [String]

  init(
    _ name: String, _ summary: String, _ shape: ValueShape, isRequired: Bool = false,
    note: String = "", example: [String] = []
  ) {
    (self.name, self.summary, self.shape) = (name, summary, shape)
    (self.isRequired, self.note, self.example) = (isRequired, note, example)
  }
}

/// The allowed text of a scalar.
struct TextForm: Sendable {
  /// The expected value in messages: `a size such as 400MB`.
  let expected: String
  /// The regular expression in the JSON Schema, and the other types that a YAML reader may give such a text.
  let pattern: String?
  var alternatives: Set<JSONType> = []
  /// `nil` for a text that matches, else the error (empty if `expected` describes it).
  let fault: @Sendable (String) -> String?

  enum JSONType: String {
    case number, integer, boolean
  }
}

extension ValueShape {
  /// The accepted values, for messages.
  var expected: String {
    switch self {
    case .word(let words): "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
    case .text(let form): form.expected
    case .list: "a list"
    case .map, .named: "a mapping"
    case .either(let scalar, .map): "\(scalar.expected), or a mapping"
    case .either(let scalar, _): scalar.expected
    }
  }

  /// The shape of a limit that `none` removes.
  var orNone: ValueShape {
    switch self {
    case .text(let form):
      .text(
        TextForm(
          expected: form.expected + ", or `none`", pattern: form.pattern.map { "\($0)|^none$" },
          alternatives: form.alternatives
        ) { $0 == Quantity.none ? nil : form.fault($0) })
    case .list(let item): .list(item.orNone)
    case .word, .map, .named, .either: self
    }
  }

  /// Adds a problem for everything in `value` that does not fit.
  ///
  /// - Parameter name: the name of the value in messages.
  package func check(_ value: YAMLValue, named name: String, problems: inout ProblemList) {
    func wrong(_ suffix: String = "") {
      problems.add("`\(name)` takes \(expected), not \(value.kind)\(suffix)", at: value.place)
    }
    switch (self, value.content) {
    case (.word(let words), .scalar(let text, _)):
      guard !words.contains(text) else { return }
      let nearest = NearestWord.find(text, among: words).map { "; did you mean `\($0)`?" }
      wrong(nearest ?? "")
    case (.text(let form), .scalar(let text, _)):
      guard let fault = form.fault(text) else { return }
      wrong(fault.isEmpty ? "" : ": \(fault)")
    case (.list(let item), .list(let items)):
      for value in items { item.check(value, named: name, problems: &problems) }
    case (.list(let item), .scalar):
      item.check(value, named: name, problems: &problems)
    case (.map(let keys, let noun), .map(let entries)):
      Self.check(entries, keys, noun: noun, problems: &problems)
      let given = value.entries.map(\.key)
      for key in keys where key.isRequired && !given.contains(key.name) {
        problems.add("`\(name)` lacks `\(key.name)`", at: value.place)
      }
    case (.named(let shape, let form), .map):
      for entry in value.entries {
        if form.fault(entry.key) != nil {
          problems.add("`\(entry.key)` is not a valid name: \(form.expected)", at: entry.place)
        }
        shape.check(entry.value, named: entry.key, problems: &problems)
      }
    case (.either(_, let map), .map):
      map.check(value, named: name, problems: &problems)
    case (.either(let scalar, _), .scalar):
      scalar.check(value, named: name, problems: &problems)
    default:
      wrong()
    }
  }

  private static func check(
    _ entries: [YAMLValue.Entry], _ keys: [ConfigurationKey], noun: String,
    problems: inout ProblemList
  ) {
    for entry in entries {
      if let key = keys.first(where: { $0.name == entry.key }) {
        // A key whose value is commented out is as good as none.
        if entry.value.isNull { continue }
        key.shape.check(entry.value, named: entry.key, problems: &problems)
      } else {
        let suggestion = NearestWord.suggestion(for: entry.key, among: keys.map(\.name))
        problems.add("unknown \(noun) `\(entry.key)`\(suggestion)", at: entry.place)
      }
    }
  }
}
