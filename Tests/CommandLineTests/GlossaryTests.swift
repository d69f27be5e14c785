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

  @Test("words that describe nothing are unknown", arguments: ["xyzzy", "why not", "hev1"])
  func nonsense(words: String) {
    #expect(Glossary.text(of: words, style: .plain, width: nil) == nil)
  }

  @Test("the list has every word once in each kind, with what it means")
  func list() {
    let lines = Glossary.all(style: .plain).split(separator: "\n")
    #expect(
      Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
        .isSuperset(of: Glossary.words))
    #expect(
      lines.allSatisfy { $0.contains("  ") || ["Rules", "Seam verdicts", "Errors"].contains($0) })
  }
}
