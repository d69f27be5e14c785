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
  /// such as `hev1`, the rules about it. `nil` if it is unknown.
  package static func text(of word: String, style: TextStyle, width: Int?) -> String? {
    let key = key(word)
    if let text = own(key, style: style, width: width) { return text }
    let meanings = aliases[key] ?? Array(mentioning(key).prefix(3))
    guard !meanings.isEmpty else { return nil }
    let lead = "\(word.printable): see \(meanings.listed("and"))\n\n"
    return lead
      + meanings.compactMap { own($0, style: style, width: width) }.joined(separator: "\n")
  }

  /// The suggestion for an unknown word.
  package static func suggestion(for word: String) -> String {
    NearestWord.suggestion(for: key(word), among: words + aliases.keys.sorted())
  }

  private static func own(_ word: String, style: TextStyle, width: Int?) -> String? {
    let texts = [
      Rules.named(word).map { RuleText($0).text(style: style, width: width) },
      SeamJudgement.Verdict(rawValue: word).map {
        SeamVerdictText(verdict: $0).text(style: style, width: width)
      },
      InspectionError.Code(rawValue: word).map {
        ErrorCodeText(code: $0).text(style: style, width: width)
      },
    ].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }
}
