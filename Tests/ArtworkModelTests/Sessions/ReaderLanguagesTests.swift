import TestSupport

@testable import ArtworkModel

@Suite struct ReaderLanguagesTests {
  private func items(_ languages: [String]) throws -> [MetadataItem] {
    try languages.map { MetadataItem(.title, $0, language: try #require(LanguageTag($0))) }
  }

  /// The language of the title that a reader gets; `nil` for none.
  private func title(_ field: String?, of languages: [String]) throws -> String? {
    let choice = ReaderLanguages(acceptLanguage: field).choice(of: try items(languages))
    #expect(choice.count <= 1)
    return choice.first?.language.text
  }

  private static let lookups: [(field: String, languages: [String], expected: String?)] = [
    // The example of 3.4: the range zh-Hant-CN-x-private1-private2.
    ("zh-Hant-CN-x-private1-private2", ["und", "zh", "zh-Hant"], "zh-Hant"),
    ("zh-Hant-CN-x-private1-private2", ["zh-Hant-CN-x", "zh", "und"], "zh"),
    ("zh-Hant-CN-x-private1-private2", ["zh-Hant-CN-x-private1", "zh"], "zh-Hant-CN-x-private1"),
    ("de-AT", ["en", "de", "und"], "de"), ("DE-at", ["de-AT", "de"], "de-AT"),
    // A longer tag is better than another language, and not better than the default.
    ("de", ["de-CH", "und"], "und"), ("es", ["en-US"], nil), ("en", ["de", "en-US"], "en-US"),
    ("en-GB", ["de", "en-US"], "en-US"), ("e", ["en-US"], nil), ("en-US", ["en-USA"], "en-USA"),
    // The first language with an item wins, as short as it may be.
    ("fr-CA, en", ["en", "fr", "und"], "fr"), ("fr, en", ["en", "und"], "en"),
    ("en;q=0.5, da", ["en", "da"], "da"), ("en, da", ["da", "en"], "en"),
    ("fr", ["und", "en"], "und"), ("fr, *;q=0.1", ["en", "und"], "und"),
    ("fr, *;q=0.1", ["en", "da"], "en"), ("fr, *, en;q=0", ["en", "da"], "da"),
    ("*", ["en", "und"], "und"), ("", ["en", "de"], "en"),
    // Malformed parts are ignored.
    ("123456789, d_e; q=1, de;q=2, en;q=x", ["sv", "und"], "und"), ("es;;q=1", ["sv"], "sv"),
  ]

  @Test(
    "The lookup of RFC 4647 shortens each language from its end, and falls back to und",
    arguments: lookups)
  func looksUp(field: String, languages: [String], expected: String?) throws {
    #expect(try title(field, of: languages) == expected)
  }

  @Test("Each identifier has a choice of its own, and those without one are left out")
  func choosesByIdentifier() throws {
    let de = try #require(LanguageTag("de"))
    let en = try #require(LanguageTag("en"))
    let items = [
      MetadataItem(.description, "A drive.", language: en),
      MetadataItem(.title, "Night Drive"), MetadataItem(.title, "Nachtfahrt", language: de),
      MetadataItem(MetadataItem.Identifier(rawValue: "mood"), "calm"),
    ]
    let choice = ReaderLanguages([de]).choice(of: items)
    #expect(choice.map(\.identifier.rawValue) == ["title", "mood"])
    #expect(choice.first?.value == .text("Nachtfahrt"))
    #expect(
      ReaderLanguages().choice(of: items).map(\.value) == [
        .text("A drive."), .text("Night Drive"), .text("calm"),
      ])
  }

  @Test("What a reader states is what the service reads")
  func saysItself() throws {
    let tags = try ["de-AT", "en"].map { try #require(LanguageTag($0)) }
    let reader = ReaderLanguages(tags)
    #expect(reader.acceptLanguage == "de-AT, en")
    #expect(ReaderLanguages(acceptLanguage: reader.acceptLanguage) == reader)
    #expect(ReaderLanguages().acceptLanguage == nil)
    #expect(ReaderLanguages(acceptLanguage: nil) == ReaderLanguages())
  }

  @Test(
    "A language tag is letters and digits in parts of at most eight",
    arguments: [
      ("und", true), ("i-klingon", true), ("x-whatever", true), ("de-CH-1901", true),
      ("sr-Latn-RS", true), ("", false), ("-", false), ("de-", false), ("de--AT", false),
      ("1de", false), ("abcdefghi", false), ("dé", false), ("de_AT", false), ("*", false),
      ("de-" + String(repeating: "abcdefg-", count: 8), false),
    ])
  func tags(text: String, isValid: Bool) { #expect((LanguageTag(text) != nil) == isValid) }
}
