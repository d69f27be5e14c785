/// Text that identifies something. Two are the same when their UTF-8 bytes are: `é` in one and in two scalars
/// are different names, though Swift compares them as equal text.
public protocol ExactIdentity: Hashable, Codable, Sendable, CustomStringConvertible {
  var text: String { get }
  /// `nil` for empty text and for more than ``longest`` bytes of UTF-8.
  init?(_ text: String)
}

/// What changes whenever a variant's preview or video does, chosen by whoever publishes it.
public struct ArtworkID: ExactIdentity {
  public let text: String

  public init?(_ text: String) {
    guard Self.isAllowed(text) else { return nil }
    self.text = text
  }
}

/// A session, as its owner names it.
public struct SessionID: ExactIdentity {
  public let text: String

  public init?(_ text: String) {
    guard Self.isAllowed(text) else { return nil }
    self.text = text
  }
}

extension ExactIdentity {
  /// Bytes of UTF-8: far more than any identifier seen, and a URL that every server takes.
  public static var longest: Int { 1024 }

  static func isAllowed(_ text: String) -> Bool { (1...longest).contains(text.utf8.count) }

  public static func == (one: Self, other: Self) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    // The same for texts that Swift compares as equal, which are few: it is quicker than byte by byte.
    hasher.combine(text)
  }

  public var description: String { text }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let identity = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an identifier has 1 to \(Self.longest) bytes")
    }
    self = identity
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// One variant of an artwork: what a preview and a video belong to.
public struct ArtworkReference: Sendable, Hashable, Codable {
  public var artworkID: ArtworkID
  public var key: ArtworkKey

  public init(_ artworkID: ArtworkID, _ key: ArtworkKey) {
    self.artworkID = artworkID
    self.key = key
  }
}

extension ArtworkReference: CustomStringConvertible {
  public var description: String { "\(artworkID) (\(key.rawValue))" }
}
