import FoundationEssentials

/// A piece of information about an item for readers of one language, like an `AVMetadataItem` in the `externalMetadata` of
/// a player item.
public struct MetadataItem: Sendable, Equatable {
  public var identifier: Identifier
  public var value: Value
  /// The language of the value; `und` is for all readers.
  public var language: LanguageTag

  /// The meaning of an item. The named ones are displayed in place of the content's own fields; others are passed on.
  public struct Identifier: Sendable, Hashable, RawRepresentable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let title = Self(rawValue: "title")
    public static let subtitle = Self(rawValue: "subtitle")
    public static let description = Self(rawValue: "description")
    public static let contentRating = Self(rawValue: "content-rating")
    /// A picture.
    public static let artwork = Self(rawValue: "artwork")
  }

  public enum Value: Sendable, Equatable {
    case text(String)
    case picture(ArtworkRepresentation)
  }

  public init(
    _ identifier: Identifier, _ value: Value, language: LanguageTag = .undetermined
  ) {
    self.identifier = identifier
    self.value = value
    self.language = language
  }

  public init(_ identifier: Identifier, _ text: String, language: LanguageTag = .undetermined) {
    self.init(identifier, .text(text), language: language)
  }
}

/// A picture is its bytes in base64, with `dataType`.
extension MetadataItem: OmittedIfEmpty {
  private enum CodingKeys: String, CodingKey {
    case identifier, value, dataType, language
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = Identifier(rawValue: try container.decode(String.self, forKey: .identifier))
    language =
      try container.decodeIfPresent(LanguageTag.self, forKey: .language) ?? .undetermined
    let text = try container.decode(String.self, forKey: .value)
    guard let name = try container.decodeIfPresent(String.self, forKey: .dataType) else {
      guard identifier != .artwork else {
        throw DecodingError.dataCorruptedError(
          forKey: .dataType, in: container,
          debugDescription: "an artwork needs it: \(Self.pictureTypes)")
      }
      value = .text(text)
      return
    }
    guard ArtworkRepresentation.DataType.allCases.contains(where: { $0.mediaType == name }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .dataType, in: container,
        debugDescription: "it must be \(Self.pictureTypes), or absent for text")
    }
    guard let bytes = Data(base64Encoded: text),
      let picture = try? ArtworkRepresentation(data: bytes), picture.type.mediaType == name
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .value, in: container,
        debugDescription: "it must be the base64 of a file of the type \(name)")
    }
    value = .picture(picture)
  }

  private static var pictureTypes: String {
    ArtworkRepresentation.DataType.allCases.map(\.mediaType).joined(separator: " or ")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(identifier.rawValue, forKey: .identifier)
    try container.encode(language, forKey: .language)
    switch value {
    case .text(let text): try container.encode(text, forKey: .value)
    case .picture(let picture):
      try container.encode(Data(picture.data).base64EncodedString(), forKey: .value)
      try container.encode(picture.type.mediaType, forKey: .dataType)
    }
  }
}

extension ArtworkRepresentation.DataType {
  fileprivate var mediaType: String { "image/\(rawValue)" }
}

extension MediaContent {
  /// The picture in the metadata, the last choice for the cover; `nil` without one.
  package var picture: ArtworkRepresentation? {
    for item in ReaderLanguages().choice(of: metadata) where item.identifier == .artwork {
      if case .picture(let picture) = item.value { return picture }
    }
    return nil
  }
}

extension NowPlaying {
  /// Returns this document with the metadata in the languages of a reader.
  package func reading(_ languages: ReaderLanguages) -> NowPlaying {
    var document = self
    document.shown?.metadata = Shown.metadata(of: shown?.content, languages)
    return document
  }
}

extension NowPlaying.Shown {
  static func metadata(
    of content: MediaContent?, _ languages: ReaderLanguages
  ) -> [MetadataItem]? {
    let chosen = languages.choice(of: content?.metadata ?? [])
    return chosen.isEmpty ? nil : chosen
  }

  /// A text of the metadata, in the language that was chosen for the reader.
  public func text(_ identifier: MetadataItem.Identifier) -> String? {
    for item in metadata ?? [] where item.identifier == identifier {
      if case .text(let text) = item.value { return text }
    }
    return nil
  }
}
