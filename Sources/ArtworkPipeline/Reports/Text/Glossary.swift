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

  /// The suggestion for an unknown word.
  package static func suggestion(for word: String) -> String {
    NearestWord.suggestion(for: key(word), among: words)
  }

  /// The form of a word for lookup: `Black first frame` is `black-first-frame`.
  private static func key(_ word: String) -> String {
    word.lowercased().split { " _\t".contains($0) }.joined(separator: "-")
  }

  /// All meanings of the word: `static` is a rule and a seam verdict. `nil` for any other word.
  package static func text(of word: String, style: TextStyle, width: Int?) -> String? {
    let word = key(word)
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

  /// One line for each word, under what it is.
  package static func all(style: TextStyle) -> String {
    let verdicts = SeamJudgement.Verdict.allCases.compactMap { ReferencePage.verdicts[$0.rawValue] }
    let groups = [
      ("Rules", Rules.catalogue.map { ($0.id, $0.page.title) }),
      ("Seam verdicts", verdicts.map { ($0.word, $0.title) }),
      (
        "Errors",
        InspectionError.Code.allCases.map { ($0.rawValue, ReferencePage.meaning(of: $0)) }
      ),
    ]
    return groups.map { style.paint($0, .heading) + "\n" + list($1, style: style) }
      .joined(separator: "\n")
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
