/// Entries by what people call a fault: `no tall`, `wrong aspect`, `black first frame`.
extension Glossary {
  /// Words that say nothing about the fault.
  private static let emptyWords: Set<String> = [
    "a", "an", "and", "at", "does", "for", "has", "in", "is", "it", "its", "my", "no", "not", "of",
    "on", "the", "to",
    "too", "video", "with", "wrong", "why",
  ]

  private struct Entry {
    var word: String
    /// The words of its id, its title and its aliases, and those of its text.
    var names: Set<String>
    var text: Set<String>
  }

  private static let entries: [Entry] = {
    var others: [String: [String]] = [:]
    for (alias, meanings) in aliases {
      for word in meanings { others[word, default: []].append(alias) }
    }
    func entry(_ page: ReferencePage) -> Entry {
      Entry(
        word: page.word,
        names: roots(
          "\(page.word) \(page.title) \((others[page.word] ?? []).joined(separator: " "))"),
        text: roots(page.meaning + " " + page["Why"] + " " + page["Measured"]))
    }
    let rules = Rules.catalogue.map { entry($0.page) }
    let verdicts = SeamJudgement.Verdict.allCases.compactMap { ReferencePage.verdicts[$0.rawValue] }
    let codes = InspectionError.Code.allCases.map { code in
      Entry(
        word: code.rawValue, names: roots(code.rawValue),
        text: roots(ReferencePage.meaning(of: code)))
    }
    return rules + verdicts.map(entry).filter { found in !rules.contains { $0.word == found.word } }
      + codes
  }()

  /// Entries with all the words that say something, or else with the most: those with them in the title first.
  static func search(_ query: String) -> [String] {
    let words = roots(query).subtracting(emptyWords)
    let scored = entries.enumerated().map { place, entry in
      let (named, told) = (
        words.intersection(entry.names).count, words.intersection(entry.text).count
      )
      let both = words.intersection(entry.names.union(entry.text)).count
      return (place: place, word: entry.word, found: both, score: 3 * named + told)
    }
    guard let most = scored.map(\.found).max(), most > 0, 2 * most >= words.count else { return [] }
    // A word in a text alone is chance, unless all are.
    let found = scored.filter {
      $0.found == most && ($0.score >= 3 || most == words.count && most > 1)
    }
    return found.sorted { ($0.score, $1.place) > ($1.score, $0.place) }.map(\.word)
  }

  /// Words in lower case, without the endings of plurals and participles.
  private static func roots(_ text: String) -> Set<String> {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != ":" }
    return Set(
      words.map { word in
        for ending in ["ing", "ed", "es", "s"]
        where word.count > ending.count + 2 && word.hasSuffix(ending) {
          return String(word.dropLast(ending.count))
        }
        return String(word.hasSuffix("e") && word.count > 4 ? word.dropLast() : word)
      })
  }
}
