/// Why reading a document ends before its end. It is the only problem of that document which is reported.
struct YAMLFault: Error {
  var message: String
  var place: SourcePlace

  init(_ message: String, at place: SourcePlace) {
    self.message = message
    self.place = place
  }
}

extension YAMLFault {
  private static let start = SourcePlace(line: 1, column: 1)

  package static let outOfMemory = YAMLFault("not enough memory to read the file", at: start)

  /// Text that breaks the grammar.
  ///
  /// - Parameters:
  ///   - context: what the parser was reading, in libyaml's words.
  ///   - contextPlace: where that begins.
  ///   - text: from the line of the problem on.
  static func syntax(
    _ problem: String, at place: SourcePlace, context: String?, contextPlace: SourcePlace,
    from text: Substring.UnicodeScalarView
  ) -> YAMLFault {
    if text.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
      return YAMLFault("YAML is indented with spaces, not with tabs", at: place)
    }
    // A pattern without quotes, such as `include: *.mp4`.
    if context == "while scanning an alias" {
      return YAMLFault(
        "`*` begins an alias here; put a pattern such as `*.mp4` into quotes", at: contextPlace)
    }
    return YAMLFault("not YAML: \(context.map { $0 + ": " } ?? "")\(problem)", at: place)
  }

  /// A character that YAML does not allow.
  package static func unreadable(_ problem: String, atByte offset: Int, of text: String)
    -> YAMLFault
  {
    let before = text.utf8.prefix(offset)
    let line = before.reversed().prefix { $0 != UInt8(ascii: "\n") }
    // Continuation bytes of a character do not count as columns.
    let place = SourcePlace(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: line.count { $0 & 0xC0 != 0x80 } + 1)
    return YAMLFault("not YAML: \(problem)", at: place)
  }
}
