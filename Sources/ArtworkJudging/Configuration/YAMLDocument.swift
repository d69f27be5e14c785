/// Reads a file that holds one YAML document.
///
/// Each alias counts as all that it repeats. So a page of nested aliases, which would be more than any memory
/// holds when it is written out, ends the reading at ``maxValues``.
struct YAMLDocument: ~Copyable {
  /// Values that a document may have with its aliases resolved. A manifest of 10,000 artworks has 90,000.
  static let maxValues = 200_000
  /// Levels of nesting; a configuration has seven.
  static let maxDepth = 50

  private static let remedy = "`artworkd explain artwork.yml` prints every key"

  private var parser: YAMLParser
  private var problems: ProblemList
  private var anchors: [String: YAMLValue] = [:]
  private var count = 0

  private init(parser: consuming YAMLParser, problems: ProblemList) {
    self.parser = parser
    self.problems = problems
  }

  /// The document, or `nil` with a problem for a text that is not exactly one document. Linear in the length
  /// of the text and in ``maxValues``.
  static func read(_ text: String, problems: inout ProblemList) -> YAMLValue? {
    do throws(YAMLFault) {
      var reader = YAMLDocument(parser: try YAMLParser.open(text), problems: problems)
      let value = try reader.read(text)
      problems = reader.problems
      return value
    } catch {
      problems.add(error.message, at: error.place)
      return nil
    }
  }

  private mutating func read(_ text: String) throws(YAMLFault) -> YAMLValue? {
    // The start of the stream, then that of the document.
    _ = try parser.next()
    if case .streamEnd = try parser.next().kind {
      let start = SourcePlace(line: 1, column: 1)
      // Comments only: the output of `artworkd explain artwork.yml`.
      if text.unicodeScalars.contains("#") { return YAMLValue(content: .map([]), place: start) }
      problems.add("the file is empty; \(Self.remedy)", at: start)
      return nil
    }
    let root = try value(try parser.next(), depth: 0)
    // The end of the document.
    _ = try parser.next()
    let next = try parser.next()
    guard case .streamEnd = next.kind else {
      throw YAMLFault("a second document begins here; only one is allowed", at: next.place)
    }
    if root.isNull {
      problems.add("the document is empty; \(Self.remedy)", at: root.place)
      return nil
    }
    return root
  }

  /// The value that begins with an event. Recursive, and never deeper than ``maxDepth``.
  private mutating func value(_ event: YAMLEvent, depth: Int) throws(YAMLFault) -> YAMLValue {
    let content: YAMLValue.Content
    switch event.kind {
    case .alias(let name):
      return try alias(name, at: event.place, depth: depth)
    case .scalar(let text, let isPlain):
      try add(values: 1, depth: depth, at: event.place)
      content = .scalar(text, isPlain: isPlain)
    case .listStart:
      try add(values: 1, depth: depth, at: event.place)
      content = .list(try items(depth: depth + 1))
    case .mapStart:
      try add(values: 1, depth: depth, at: event.place)
      content = .map(try entries(depth: depth + 1))
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .end:
      throw YAMLFault("not YAML: a value is missing", at: event.place)
    }
    let value = YAMLValue(content: content, place: event.place)
    // Known from here on: a value cannot repeat itself.
    if let anchor = event.anchor { anchors[anchor] = value }
    return value
  }

  private mutating func items(depth: Int) throws(YAMLFault) -> [YAMLValue] {
    var items: [YAMLValue] = []
    while true {
      let event = try parser.next()
      if case .end = event.kind { return items }
      items.append(try value(event, depth: depth))
    }
  }

  private mutating func entries(depth: Int) throws(YAMLFault) -> [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = []
    var merged: [YAMLValue.Entry] = []
    var places: [String: SourcePlace] = [:]
    while true {
      let key = try parser.next()
      if case .end = key.kind { break }
      guard case .scalar(let name, let isPlain) = key.kind else {
        problems.add("a key is a word, not a list, a mapping or an alias", at: key.place)
        try skip(key, depth: depth)
        // It may contain mistakes, and anchors.
        _ = try value(try parser.next(), depth: depth)
        continue
      }
      let value = try value(try parser.next(), depth: depth)
      if let first = places[name] {
        problems.add("`\(name)` is a duplicate of line \(first.line)", at: key.place)
        // It may contain mistakes.
        entries.append(YAMLValue.Entry(key: name, place: key.place, value: value))
      } else if name == "<<", isPlain {
        merged += mappings(toMerge: value, at: key.place)
      } else {
        places[name] = key.place
        entries.append(YAMLValue.Entry(key: name, place: key.place, value: value))
      }
    }
    // Own keys win over merged ones, and the first of these over the others.
    for entry in merged where places[entry.key] == nil {
      places[entry.key] = entry.place
      entries.append(entry)
    }
    return entries
  }

  /// The entries of a mapping, or of all mappings in a list.
  private mutating func mappings(
    toMerge value: YAMLValue, at place: SourcePlace
  ) -> [YAMLValue.Entry] {
    var merged: [YAMLValue.Entry] = []
    for item in value.items.isEmpty ? [value] : value.items {
      guard case .map(let entries) = item.content else {
        problems.add("`<<` takes a mapping or a list of them, not \(item.kind)", at: place)
        continue
      }
      merged += entries
    }
    return merged
  }

  /// Skips the value that begins with an event.
  private mutating func skip(_ event: YAMLEvent, depth: Int) throws(YAMLFault) {
    var event = event
    var open = 0
    while true {
      switch event.kind {
      case .listStart, .mapStart: open += 1
      case .end: open -= 1
      default: break
      }
      try add(values: 0, depth: depth + open, at: event.place)
      if open == 0 { return }
      event = try parser.next()
    }
  }

  /// The value that an alias repeats, with its place.
  private mutating func alias(
    _ name: String, at place: SourcePlace, depth: Int
  ) throws(YAMLFault) -> YAMLValue {
    guard let value = anchors[name] else {
      problems.add("`*\(name)` refers to no anchor above it", at: place)
      try add(values: 1, depth: depth, at: place)
      return YAMLValue(content: .scalar("", isPlain: true), place: place)
    }
    let size = Self.size(of: value)
    try add(values: size.count, depth: depth + size.depth, at: place)
    return value
  }

  /// Counts values, the deepest of them at `depth`.
  private mutating func add(
    values: Int, depth: Int, at place: SourcePlace
  ) throws(YAMLFault) {
    count += values
    guard count <= Self.maxValues, depth <= Self.maxDepth else {
      throw YAMLFault(
        "the file is too large with its aliases resolved: at most \(Self.maxValues) values, "
          + "\(Self.maxDepth) levels deep", at: place)
    }
  }

  /// The number of values, and the levels below the first.
  private static func size(of value: YAMLValue) -> (count: Int, depth: Int) {
    let children: [YAMLValue] =
      switch value.content {
      case .scalar: []
      case .list(let items): items
      case .map(let entries): entries.map(\.value)
      }
    let sizes = children.map(size)
    return (sizes.reduce(1) { $0 + $1.count }, sizes.map { $0.depth + 1 }.max() ?? 0)
  }
}

extension String {
  /// Without white space at its ends.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
