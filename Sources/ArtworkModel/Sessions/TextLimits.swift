/// The limits of the texts in a request, in characters (Unicode scalars, as JSON Schema counts). Far beyond real names, and
/// small enough that 256 sessions fit in memory, on disk and in an event.
package enum TextLimits {
  /// Length of an application's name, which is also a query parameter.
  package static let application = 1...1024
  package static let title = 1...4096
  /// Length of the second line and of the collection.
  package static let line = 0...4096

  static func check(_ session: MediaSession, _ decoder: any Decoder) throws {
    try check(session.application, application, ["application"], decoder)
    guard let content = session.content else { return }
    try check(content.title, title, ["content", "title"], decoder)
    try check(content.subtitle ?? "", line, ["content", "subtitle"], decoder)
    try check(content.collection ?? "", line, ["content", "collection"], decoder)
    try check(details: content, decoder)
  }

  static func check(
    _ text: String, _ limit: ClosedRange<Int>, _ path: [FieldName], _ decoder: any Decoder
  ) throws {
    let count = text.unicodeScalars.count
    guard !limit.contains(count) else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath + path,
        debugDescription:
          "it must have \(limit.lowerBound) to \(limit.upperBound) characters, not \(count)"))
  }
}
