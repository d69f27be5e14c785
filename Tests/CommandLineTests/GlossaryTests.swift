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
}
