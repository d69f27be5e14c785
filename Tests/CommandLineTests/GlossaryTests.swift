import TestSupport

/// `explain`; the transcript `words.txt` has the list of all words.
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
}
