/// The limits of an item's details, beside its lines.
extension TextLimits {
  package static let contentID = 1...1024
  package static let description = 0...4096
  package static let contentRating = 1...64
  package static let chapterTitle = 0...256
  package static let identifier = 1...128
  /// Length of a text in the metadata, and of a description.
  package static let value = 0...4096
  /// Chapters of one item: a long audiobook has some hundreds.
  package static let chapters = 512
  /// Metadata items of one item: a few identifiers in many languages.
  package static let metadata = 128
  /// Bytes of a whole content: as much as its three lines could have, at four bytes per character, so that all
  /// sessions together still fit in an event.
  package static let content = 3 * 4 * 4096

  static func check(details content: MediaContent, _ decoder: any Decoder) throws {
    func path(_ fields: FieldName...) -> [FieldName] { ["content"] + fields }
    if let id = content.id { try check(id, contentID, path("id"), decoder) }
    try check(content.composer ?? "", line, path("composer"), decoder)
    try check(content.genre ?? "", line, path("genre"), decoder)
    try check(content.description ?? "", description, path("description"), decoder)
    if let rating = content.contentRating {
      try check(rating, contentRating, path("contentRating"), decoder)
    }
    try check(content.chapters.count, chapters, "chapters", path("chapters"), decoder)
    try check(content.metadata.count, metadata, "items", path("metadata"), decoder)
    for (index, chapter) in content.chapters.enumerated() {
      let place = path("chapters", FieldName(intValue: index), "title")
      try check(chapter.title, chapterTitle, place, decoder)
    }
    for (index, item) in content.metadata.enumerated() {
      let place = path("metadata", FieldName(intValue: index))
      try check(item.identifier.rawValue, identifier, place + ["identifier"], decoder)
      if case .text(let text) = item.value {
        try check(text, value, place + ["value"], decoder)
      }
    }
    try check(content.textBytes, Self.content, "bytes of texts and pictures", path(), decoder)
  }

  private static func check(
    _ count: Int, _ limit: Int, _ what: String, _ path: [FieldName], _ decoder: any Decoder
  ) throws {
    guard count > limit else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath + path,
        debugDescription: "it must have at most \(limit) \(what), not \(count)"))
  }
}

extension MediaContent {
  /// About the bytes that it takes in JSON.
  fileprivate var textBytes: Int {
    let texts = [id, title, subtitle, collection, description, contentRating, composer, genre]
    // The names of the fields, and a number.
    let frame = 64
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      + chapters.reduce(0) { $0 + frame + $1.title.utf8.count }
      + metadata.reduce(0) { $0 + frame + $1.textBytes }
  }
}

extension MetadataItem {
  fileprivate var textBytes: Int {
    let named = identifier.rawValue.utf8.count
    return switch value {
    case .text(let text): named + text.utf8.count
    case .picture(let picture): named + picture.data.count * 4 / 3
    }
  }
}
