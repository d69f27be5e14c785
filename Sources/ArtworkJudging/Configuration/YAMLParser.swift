import CYAML

/// One event of libyaml: a scalar, an alias, or the start or end of something.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    /// A plain scalar has no quotes.
    case scalar(String, isPlain: Bool)
    /// Repeats the value that has this anchor.
    case alias(String)
    case listStart, mapStart
    /// End of the innermost list or mapping.
    case end
  }

  var kind: Kind
  /// The name under which aliases repeat this value.
  var anchor: String?
  var place: SourcePlace
}

/// Reads the events of a text with libyaml. Its time and memory do not depend on the contents of aliases: the parser
/// does not resolve them. Its stacks grow with the nesting read so far.
struct YAMLParser: ~Copyable {
  /// `%TAG` directives in a text. libyaml compares each with all others.
  private static let maxDirectives = 100

  /// Never moves: the parser keeps a pointer to itself.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The parser's input. The parser does not copy it.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let text: String

  static func open(_ text: String) throws(YAMLFault) -> YAMLParser {
    guard directives(in: text) <= maxDirectives else {
      throw YAMLFault(
        "more than \(maxDirectives) `%TAG` directives", at: SourcePlace(line: 1, column: 1))
    }
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw .outOfMemory
    }
    let count = text.utf8.count
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
    _ = UnsafeMutableBufferPointer(start: bytes, count: count).initialize(from: text.utf8)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes, count)
    return YAMLParser(parser: parser, bytes: bytes, text: text)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  /// The number of `%TAG` in a text, whether or not each of them is a directive.
  private static func directives(in text: String) -> Int {
    let name = Array("%TAG".utf8)
    var count = 0
    var matched = 0
    for byte in text.utf8 {
      matched = byte == name[matched] ? matched + 1 : byte == name[0] ? 1 : 0
      if matched < name.count { continue }
      count += 1
      matched = 0
    }
    return count
  }

  /// The next event. Do not call it after ``YAMLEvent/Kind/streamEnd`` or after a fault.
  mutating func next() throws(YAMLFault) -> YAMLEvent {
    var raw = RawEvent()
    guard yaml_parser_parse(parser, &raw.event) == 1, let kind = raw.kind else { throw fault() }
    return YAMLEvent(kind: kind, anchor: raw.anchor, place: SourcePlace(raw.event.start_mark))
  }

  /// The fault that stopped the parser.
  private func fault() -> YAMLFault {
    guard let problem = string(parser.pointee.problem) else { return .outOfMemory }
    if parser.pointee.error == YAML_READER_ERROR {
      return .unreadable(problem, atByte: parser.pointee.problem_offset, of: text)
    }
    let mark = parser.pointee.problem_mark
    return .syntax(
      problem, at: SourcePlace(mark), context: string(parser.pointee.context),
      contextPlace: SourcePlace(parser.pointee.context_mark),
      from: text.unicodeScalars.dropFirst(max(0, mark.index - mark.column)))
  }
}

/// Owns what libyaml allocates for an event.
private struct RawEvent: ~Copyable {
  var event = yaml_event_t()

  deinit {
    // The event itself cannot be changed here.
    var event = event
    yaml_event_delete(&event)
  }

  /// `nil` for an event that libyaml has not filled in.
  var kind: YAMLEvent.Kind? {
    switch event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_SEQUENCE_START_EVENT: return .listStart
    case YAML_MAPPING_START_EVENT: return .mapStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    case YAML_ALIAS_EVENT: return string(event.data.alias.anchor).map { .alias($0) }
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      // It may hold NUL, which an escape can write.
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    default: return nil
    }
  }

  var anchor: String? {
    switch event.type {
    case YAML_SCALAR_EVENT: string(event.data.scalar.anchor)
    case YAML_SEQUENCE_START_EVENT: string(event.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT: string(event.data.mapping_start.anchor)
    default: nil
    }
  }
}

private func string(_ bytes: UnsafePointer<UInt8>?) -> String? { bytes.map { String(cString: $0) } }
private func string(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }

extension SourcePlace {
  fileprivate init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }
}
