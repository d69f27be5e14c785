/// The words of reports that `artworkd explain` explains: rules, seam verdicts and error codes.
package enum Glossary {
  /// Each once, rules first.
  package static let words: [String] = {
    var seen: Set<String> = []
    let all =
      Rules.catalogue.map { $0.id } + SeamJudgement.Verdict.allCases.map(\.rawValue)
      + InspectionError.Code.allCases.map(\.rawValue)
    return all.filter { seen.insert($0).inserted }
  }()

  /// All meanings of the word: `static` is a rule and a seam verdict. For a property of a file that no report names,
  /// such as `hev1`, the rules about it; for other words, what they describe best. `nil` if nothing matches.
  package static func text(of word: String, style: TextStyle, width: Int?) -> String? {
    let key = key(word)
    if let text = own(key, style: style, width: width) { return text }
    // A word that is nearly one of these is a typing error.
    let isMistyped = !word.contains(" ") && !suggestion(for: word).isEmpty
    let found = aliases[key] == nil && !isMistyped ? search(word) : []
    let meanings = aliases[key] ?? Array(found.prefix(mostShown))
    guard !meanings.isEmpty else { return nil }
    let others = found.dropFirst(meanings.count).prefix(mostNamed)
    let lead =
      "\(word.printable): see \(meanings.listed("and"))"
      + (others.isEmpty ? "" : "; also \(others.joined(separator: ", "))") + "\n\n"
    return lead
      + meanings.compactMap { own($0, style: style, width: width) }.joined(separator: "\n")
  }

  /// How many entries that a search found are shown, and how many more are named.
  private static let (mostShown, mostNamed) = (2, 4)

  /// The suggestion for an unknown word.
  package static func suggestion(for word: String) -> String {
    NearestWord.suggestion(for: key(word), among: words + aliases.keys.sorted())
  }

  private static func own(_ word: String, style: TextStyle, width: Int?) -> String? {
    let texts = [
      ReferencePage.rules[word].map { SectionText($0) },
      ReferencePage.verdicts[word].map { SectionText($0, kind: "a seam verdict: ") },
      InspectionError.Code(rawValue: word).map(section),
    ].compactMap { $0?.render(style: style, width: width) }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private static func section(of code: InspectionError.Code) -> SectionText {
    SectionText(
      name: code.rawValue, title: "an error: the file was not judged",
      introduction: ReferencePage.meaning(of: code).capitalizedFirst + ".",
      sections: [
        ("Fix", InspectionError(code, "").help.capitalizedFirst + "."),
        ("Exit", "Code 2, unless the error is in the baseline."),
      ])
  }

  /// One line for each rule.
  package static func rules(style: TextStyle) -> String {
    list(Rules.catalogue.map { ($0.id, $0.page.title) }, style: style)
  }

  /// One line for each destination.
  package static func profiles(_ profiles: [Profile], style: TextStyle) -> String {
    list(profiles.map { ($0.name, $0.title) }, style: style)
  }

  private static func list(_ entries: [(word: String, title: String)], style: TextStyle) -> String {
    let width = entries.map(\.word.cells).max() ?? 0
    return entries.map {
      style.paint($0.word.padded(to: width), .heading) + "  " + $0.title + "\n"
    }.joined()
  }
}
