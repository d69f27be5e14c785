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

  /// Everything that the word means: `static` is a rule and a seam verdict. `nil` if it is unknown.
  package static func text(of word: String, style: TextStyle, width: Int?) -> String? {
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
