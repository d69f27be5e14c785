/// A language tag of BCP 47, such as `de-AT`. Tags are compared without regard to case.
public struct LanguageTag: Sendable, Hashable {
  public let text: String

  /// No particular language (RFC 5646, 4.1): such items are for all readers.
  public static let undetermined = LanguageTag(valid: "und")

  /// Returns `nil` for text that is not a basic language range (RFC 4647, 2.1: letters, then letters and digits, 1 to
  /// 8 in a subtag, joined by `-`) or has more than ``longest`` bytes.
  public init?(_ text: String) {
    let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isWellFormed = subtags.enumerated().allSatisfy { index, subtag in
      (1...8).contains(subtag.count)
        && subtag.allSatisfy { byte in
          let character = Character(Unicode.Scalar(byte))
          return character.isASCII && (character.isLetter || index > 0 && character.isNumber)
        }
    }
    guard isWellFormed, text.utf8.count <= Self.longest else { return nil }
    self.init(valid: text)
  }

  /// Bytes: nearly twice the 35 that RFC 5646 (4.4.1) requires implementations to allow.
  public static let longest = 64

  private init(valid text: String) { self.text = text }

  private var folded: String { text.lowercased() }

  public static func == (one: Self, other: Self) -> Bool { one.folded == other.folded }

  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

  /// Whether it is a longer tag, such as `en-US` for `en`.
  func extends(_ range: LanguageTag) -> Bool { folded.hasPrefix(range.folded + "-") }

  /// This tag and its truncations from the end (RFC 4647, 3.4): `zh-Hant-TW`, `zh-Hant`, `zh`. A single character,
  /// which introduces the subtags after it, is removed with them.
  var truncations: [LanguageTag] {
    var subtags = text.split(separator: "-")
    var tags: [LanguageTag] = []
    while !subtags.isEmpty {
      tags.append(LanguageTag(valid: subtags.joined(separator: "-")))
      subtags.removeLast()
      if subtags.last?.count == 1 { subtags.removeLast() }
    }
    return tags
  }
}

extension LanguageTag: Codable, CustomStringConvertible {
  public var description: String { text }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let tag = LanguageTag(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(text.prefix(80))\" is no language tag (BCP 47), such as de or pt-BR")
    }
    self = tag
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
