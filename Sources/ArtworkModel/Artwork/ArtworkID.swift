import FoundationEssentials

/// An identifier that is compared by its UTF-8 bytes: `é` as one scalar and as two are different, though Swift considers
/// them equal text.
public protocol ExactIdentity: Hashable, Codable, Sendable, CustomStringConvertible {
  var text: String { get }
  /// `nil` for empty text and for more than ``longest`` bytes of UTF-8.
  init?(_ text: String)
}

/// Identifies one variant's preview and video; the publisher chooses a new one whenever either changes.
public struct ArtworkID: ExactIdentity {
  public let text: String

  public init?(_ text: String) {
    guard Self.isAllowed(text) else { return nil }
    self.text = text
  }
}

/// The name of a session, chosen by its owner.
public struct SessionID: ExactIdentity {
  public let text: String

  /// Returns a new random name, so that two windows of a player do not share a session.
  public static func unique() -> SessionID { SessionID(UUID().uuidString) ?? unique() }

  public init?(_ text: String) {
    guard Self.isAllowed(text) else { return nil }
    self.text = text
  }
}

extension ExactIdentity {
  /// Bytes of UTF-8: far more than any known identifier, and short enough for every server's URLs.
  public static var longest: Int { 1024 }

  static func isAllowed(_ text: String) -> Bool { (1...longest).contains(text.utf8.count) }

  public static func == (one: Self, other: Self) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    // Equal for the few texts that Swift considers equal; faster than hashing byte by byte.
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

/// One variant of an artwork, with one preview and one video; or its static cover, a picture.
public struct ArtworkReference: Sendable, Hashable {
  public var artworkID: ArtworkID
  /// `nil` for the static cover.
  public var key: ArtworkKey?

  public init(_ artworkID: ArtworkID, _ key: ArtworkKey) {
    self.artworkID = artworkID
    self.key = key
  }

  /// The static cover that a system shows in place of animated artwork.
  public init(coverOf artworkID: ArtworkID) { self.artworkID = artworkID }

  /// - Parameter part: `1x1`, `3x4` or `cover`, as in the service's paths; `nil` for another.
  package init?(_ artworkID: ArtworkID, part: String) {
    key = ArtworkKey(rawValue: part)
    guard key != nil || part == Self.cover else { return nil }
    self.artworkID = artworkID
  }

  /// `1x1`, `3x4` or `cover`.
  public var part: String { key?.rawValue ?? Self.cover }

  private static let cover = "cover"

  /// Orders references by ID, then by part.
  package static func precedes(_ one: Self, _ other: Self) -> Bool {
    (one.artworkID.text, one.part) < (other.artworkID.text, other.part)
  }
}

extension ArtworkReference: CustomStringConvertible {
  public var description: String { "\(artworkID) (\(part))" }
}
