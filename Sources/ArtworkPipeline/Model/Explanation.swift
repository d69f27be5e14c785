/// What a rule means, for `artworkd explain` and docs/rules.md. Texts are Markdown without headings.
public struct Explanation: Sendable {
  /// What is asked for, and with which severity its absence is told.
  public var meaning: String
  /// What goes wrong otherwise.
  public var why: String
  public var measured: String
  public var fix: String
  /// Who says so: Apple, another named document, what is known of players, or we.
  public var source: String

  public init(meaning: String, why: String, measured: String, fix: String, source: String) {
    self.meaning = meaning
    self.why = why
    self.measured = measured
    self.fix = fix
    self.source = source
  }
}
