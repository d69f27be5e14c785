/// The verdicts of a batch, counted.
public struct Summary: Sendable, Equatable, Codable {
  public var total = 0
  public var pass = 0
  public var warn = 0
  public var fail = 0
  public var error = 0
  /// How many findings each rule has, by the rule's id. A finding that several profiles share counts once.
  public var rules: [String: Int] = [:]
  /// Wall-clock time of the whole batch; of merged results, the sum.
  public var seconds: Double
  /// The part of a catalogue that the run checked; `nil` for all of it, as are the next three.
  package var shard: Shard?
  /// The SHA-256 of all that the parts of one catalogue share: version, FFmpeg, configuration, options, list of files.
  package var configuration: String?
  /// How many candidates all parts have.
  package var candidates: Int?
  /// The profiles, in the order of reports.
  package var profiles: [JudgedFor]?

  /// A destination, as reports name it.
  package struct JudgedFor: Sendable, Equatable, Codable {
    package var name: String
    package var title: String

    package init(name: String, title: String) { (self.name, self.title) = (name, title) }
  }

  public init(_ reports: [CandidateReport], seconds: Double) {
    self.seconds = seconds
    for report in reports { count(report.verdict) }
    rules = Self.findingsByRule(reports)
  }

  /// How many findings each rule has, by the rule's id. A finding that several profiles share counts once.
  ///
  /// - Parameter least: milder findings do not count.
  package static func findingsByRule(
    _ reports: [CandidateReport], atLeast least: Finding.Severity = .info
  ) -> [String: Int] {
    struct Shared: Hashable {
      var rule: String
      var severity: Finding.Severity
      var message: String
    }
    var counts: [String: Int] = [:]
    for report in reports {
      let counted = report.findings.filter { $0.severity >= least }
      let distinct = Set(
        counted.map { Shared(rule: $0.rule, severity: $0.severity, message: $0.message) })
      for finding in distinct { counts[finding.rule, default: 0] += 1 }
    }
    return counts
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
