import Yams

/// Reads a file that holds one YAML document.
///
/// Aliases are resolved here and not by the parser, which takes an alias for the value itself: a page of
/// nested ones would be more than any memory holds. The parser sees another letter in place of every `*`.
struct YAMLDocument {
  /// Values that a document may have with its aliases resolved. A manifest of 10,000 artworks has 90,000.
  static let maxValues = 200_000
  /// Levels of nesting; a configuration has seven.
  static let maxDepth = 50
  /// Duplicate keys that are told apart; each costs a pass over the text.
  private static let maxDuplicates = 50

  /// Letters that nobody writes stand for `*` and for keys that were there before (U+E000 to U+F8FF are
  /// for private use).
  private static let privateUse: ClosedRange<UInt32> = 0xE000...0xF8FF
  private static let star: Unicode.Scalar = "\u{E000}"
  private static let filler: Unicode.Scalar = "\u{E001}"
  private static let firstName: UInt32 = 0xE100

  private static let remedy = "`artworkd init` writes one to start from"

  private var problems: ProblemList
  private var anchors: [String: YAMLValue] = [:]
  private var count = 0
  private var isTooLarge = false
  /// Keys that were renamed so that the parser takes them, with what they were.
  private var renamed: [String: String] = [:]

  private init(problems: ProblemList) { self.problems = problems }

  /// The document, or `nil` with a problem for what is no single document. Linear in the length of the
  /// text and in ``maxValues``.
  static func read(_ text: String, problems: inout ProblemList) -> YAMLValue? {
    var reader = YAMLDocument(problems: problems)
    defer { problems = reader.problems }
    return reader.read(Array(text.unicodeScalars))
  }

  private mutating func read(_ text: [Unicode.Scalar]) -> YAMLValue? {
    let start = SourcePlace(line: 1, column: 1)
    if let index = text.firstIndex(where: { Self.privateUse.contains($0.value) }) {
      let before = text[..<index]
      let line = before.count { $0 == "\n" } + 1
      let column = before.count - (before.lastIndex(of: "\n").map { $0 + 1 } ?? 0) + 1
      problems.add(
        "characters for private use are not taken", at: SourcePlace(line: line, column: column))
      return nil
    }
    var lines = text.map { $0 == "*" ? Self.star : $0 }
      .split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    while true {
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: lines.joined(separator: ["\n"]))
      do {
        let parser = try Parser(yaml: String(scalars), encoding: .utf8)
        guard let root = try parser.singleRoot() else {
          // Comments only: what `artworkd init` writes.
          if lines.joined().contains("#") { return YAMLValue(content: .map([]), place: start) }
          problems.add("the file is empty; \(Self.remedy)", at: start)
          return nil
        }
        // Nodes refer to their anchors, which the parser owns.
        let value = withExtendedLifetime(parser) { self.value(of: root, depth: 0) }
        if value.isNull, !isTooLarge {
          problems.add("the document is empty; \(Self.remedy)", at: value.place)
          return nil
        }
        return value
      } catch YamlError.duplicatedKeysInMapping(let duplicates, let context) {
        guard rename(duplicates.first ?? "", at: context.mark, in: &lines) else { return nil }
      } catch {
        add(error, lines: lines)
        return nil
      }
    }
  }

  /// Makes the first of two equal keys another one, so that the rest can be read.
  private mutating func rename(
    _ key: String, at mark: Mark, in lines: inout [[Unicode.Scalar]]
  ) -> Bool {
    let letters = Array(key.unicodeScalars)
    func matches(_ column: Int) -> Bool {
      lines.indices.contains(mark.line - 1)
        && lines[mark.line - 1].dropFirst(column).starts(with: letters)
    }
    // Quoted ones begin after their quote.
    let column = matches(mark.column - 1) ? mark.column - 1 : mark.column
    guard let name = Unicode.Scalar(Self.firstName + UInt32(renamed.count)), !letters.isEmpty,
      matches(column), renamed.count < Self.maxDuplicates
    else {
      problems.add("`\(original(key))` is there more than once", at: SourcePlace(mark))
      return false
    }
    let replacement = [name] + Array(repeating: Self.filler, count: letters.count - 1)
    lines[mark.line - 1].replaceSubrange(column..<column + letters.count, with: replacement)
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: replacement)
    renamed[String(scalars)] = key
    return true
  }

  private mutating func value(of node: Node, depth: Int) -> YAMLValue {
    let place = node.mark.map { SourcePlace($0) } ?? SourcePlace(line: 1, column: 1)
    let nothing = YAMLValue(content: .scalar("", isPlain: true), place: place)
    guard isInBounds(adding: 1, depth: depth, at: place) else { return nothing }
    let content: YAMLValue.Content
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain || scalar.style == .any
      if isPlain, scalar.string.unicodeScalars.first == Self.star {
        return alias(original(scalar.string), at: place, depth: depth)
      }
      content = .scalar(original(scalar.string), isPlain: isPlain)
    case .sequence(let sequence):
      content = .list(sequence.map { value(of: $0, depth: depth + 1) })
    case .mapping(let mapping):
      content = .map(entries(of: mapping, depth: depth))
    case .alias:
      // Only documents that are being written have these.
      return nothing
    }
    let result = YAMLValue(content: content, place: place)
    if let anchor = node.anchor { anchors[anchor.rawValue] = result }
    return result
  }

  private mutating func alias(_ name: String, at place: SourcePlace, depth: Int) -> YAMLValue {
    guard var value = anchors[String(name.dropFirst())] else {
      problems.add("`\(name)` refers to no anchor above it", at: place)
      return YAMLValue(content: .scalar("", isPlain: true), place: place)
    }
    let size = isTooLarge ? (count: 0, depth: 0) : Self.size(of: value)
    if !isInBounds(adding: size.count, depth: depth + size.depth, at: place) {
      value.content = .scalar("", isPlain: true)
    }
    return value
  }

  private mutating func isInBounds(adding values: Int, depth: Int, at place: SourcePlace) -> Bool {
    count += values
    if count <= Self.maxValues, depth <= Self.maxDepth, !isTooLarge { return true }
    if !isTooLarge {
      isTooLarge = true
      problems.add(
        "the file is too large with its aliases resolved: at most \(Self.maxValues) values, "
          + "\(Self.maxDepth) levels deep", at: place)
    }
    return false
  }

  private static func size(of value: YAMLValue) -> (count: Int, depth: Int) {
    let children: [YAMLValue] =
      switch value.content {
      case .scalar: []
      case .list(let items): items
      case .map(let entries): entries.map(\.value)
      }
    let sizes = children.map(size)
    return (sizes.reduce(1) { $0 + $1.count }, 1 + (sizes.map(\.depth).max() ?? 0))
  }

  private mutating func entries(of mapping: Node.Mapping, depth: Int) -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    var merged: [YAMLValue.Entry] = []
    var places: [String: SourcePlace] = [:]
    for (key, node) in mapping {
      let place = key.mark.map { SourcePlace($0) } ?? SourcePlace(line: 1, column: 1)
      guard case .scalar(let scalar) = key, scalar.string.unicodeScalars.first != Self.star else {
        problems.add("a key is a word, not a list, a mapping or an alias", at: place)
        continue
      }
      let name = original(renamed[scalar.string] ?? scalar.string)
      let value = self.value(of: node, depth: depth + 1)
      if let first = places[name] {
        problems.add("`\(name)` is there already, in line \(first.line)", at: place)
        // It may have mistakes of its own.
        entries.append(YAMLValue.Entry(key: name, place: place, value: value))
      } else if name == "<<", scalar.style == .plain {
        for other in value.items.isEmpty ? [value] : value.items {
          guard case .map(let others) = other.content else {
            problems.add("`<<` takes a mapping or a list of them, not \(other.kind)", at: place)
            continue
          }
          merged += others
        }
      } else {
        places[name] = place
        entries.append(YAMLValue.Entry(key: name, place: place, value: value))
      }
    }
    // Own keys win over merged ones, and the first of these over the others.
    for entry in merged where places[entry.key] == nil {
      places[entry.key] = entry.place
      entries.append(entry)
    }
    return entries
  }

  /// As the file has it.
  private func original(_ text: String) -> String {
    guard text.unicodeScalars.contains(Self.star) else { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.map { $0 == Self.star ? "*" : $0 })
    return String(scalars)
  }

  private mutating func add(_ error: any Error, lines: [[Unicode.Scalar]]) {
    let start = SourcePlace(line: 1, column: 1)
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _):
      let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : []
      if line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
        problems.add("YAML is indented with spaces, not with tabs", at: SourcePlace(mark))
      } else {
        let context = context.map { $0.text.trimmed + ": " } ?? ""
        problems.add("not YAML: \(context)\(original(problem))", at: SourcePlace(mark))
      }
    case YamlError.composer(_, _, let mark, _):
      // Aliases being hidden, this is all that is left to go wrong.
      problems.add("a second document begins here; only one is taken", at: SourcePlace(mark))
    case YamlError.reader(let problem, _, _, _):
      problems.add("not YAML: \(problem)", at: start)
    default:
      problems.add("not YAML: \(error)", at: start)
    }
  }
}

extension SourcePlace {
  fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}

extension String {
  /// Without white space at its ends.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
