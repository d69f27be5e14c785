/// The verdicts of a batch, counted.
public struct Summary: Sendable, Equatable, Codable {
  public var total = 0
  public var pass = 0
  public var warn = 0
  public var fail = 0
  public var error = 0
  /// How many findings each rule has, by the rule's id. A finding that several profiles share counts once.
  public var rules: [String: Int] = [:]
  /// Wall-clock time of the whole batch.
  public var seconds: Double

  public init(_ reports: [CandidateReport], seconds: Double) {
    self.seconds = seconds
    for report in reports { count(report.verdict) }
    rules = RuleCount.byRule(reports)
  }

  private mutating func count(_ verdict: CandidateReport.Verdict) {
    total += 1
    switch verdict {
    case .pass: pass += 1
    case .warn: warn += 1
    case .fail: fail += 1
    case .error: error += 1
    }
  }
}
