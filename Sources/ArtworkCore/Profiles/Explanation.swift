/// The explanation of a rule, for `artworkd explain` and docs/rules.md, in Markdown without headings.
package struct Explanation: Sendable {
  /// The requirement, and the severity if a file does not satisfy it.
  package var meaning: String
  /// The consequences if a file does not satisfy it.
  package var why: String
  package var measured: String
  package var fix: String
  /// The source of the requirement: Apple, another named document, knowledge of players, or us.
  package var source: String

  package init(meaning: String, why: String, measured: String, fix: String, source: String) {
    self.meaning = meaning
    self.why = why
    self.measured = measured
    self.fix = fix
    self.source = source
  }
}
