import TestSupport

@testable import ArtworkPipeline

@Suite struct GlossaryTests {
  @Test("everything that a word means is explained")
  func words() throws {
    for word in Glossary.words {
      #expect(Glossary.text(of: word, style: .plain, width: 80)?.hasPrefix(word) == true)
    }
    let both = try #require(Glossary.text(of: "truncated", style: .plain, width: 80))
    #expect(both.contains("\nMeasured  ") && both.contains("\n\ntruncated  an error"))
  }

  @Test("every other name leads to words that are explained")
  func aliases() {
    for (alias, meanings) in Glossary.aliases {
      #expect(!Glossary.words.contains(alias) || alias == "static", "\(alias)")
      for word in meanings { #expect(Glossary.words.contains(word), "\(word)") }
    }
  }

  @Test(
    "what people call a fault leads to the rule about it",
    arguments: [
      ("judder", "judder"), ("24fps", "judder"), ("stutter", "judder"), ("no tall", "pair"),
      ("wrong aspect", "aspect-ratio"), ("aspect ratio is wrong", "aspect-ratio"),
      ("missing tall variant", "pair"),
      ("repeated frames", "judder"), ("sound in the video", "audio-track"),
      ("black bars", "letterbox"),
      ("picture jumps", "jump"), ("file too large", "too-large"),
      ("colours are washed out", "color"),
      ("hev1", "codec-tag"), ("flashing", "flash"), ("too short", "duration"),
    ])
  func symptoms(words: String, rule: String) throws {
    let text = try #require(Glossary.text(of: words, style: .plain, width: nil))
    let lead = text.prefix { $0 != "\n" }
    #expect(lead.contains(rule), "\(lead)")
  }

  @Test("words that describe nothing are unknown", arguments: ["xyzzy", "why not", "the"])
  func nonsense(words: String) {
    #expect(Glossary.text(of: words, style: .plain, width: nil) == nil)
  }
}
