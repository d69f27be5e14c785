/// The output of `artworkd repair` for machines; docs/json.md describes it.
package struct RepairDocument: Encodable {
  private var schemaVersion = 1
  private var results: [Entry]
  private var summary: Summary

  package init(_ releases: [Repair]) {
    results = releases.flatMap(\.outcomes).map(Entry.init)
    func count(_ verdict: Repair.Verdict) -> Int { releases.count { $0.verdict == verdict } }
    summary = Summary(
      releases: Summary.Releases(
        total: releases.count, ready: count(.ready), look: count(.look), needYou: count(.needYou),
        reasons: Dictionary(
          releases.filter { $0.verdict != .ready }.map { ($0.name, $0.reasons) },
          uniquingKeysWith: { $0 + $1 })))
  }

  private struct Summary: Encodable {
    struct Releases: Encodable {
      var total: Int
      /// Without a warning or an error; after a dry run, those that would be.
      var ready: Int
      /// Those of which nothing is left, but of which a person may deny what was made.
      var look: Int
      /// The others.
      var needYou: Int
      /// What is left or to look at, in words, by the name of the release.
      var reasons: [String: [String]]
    }

    var releases: Releases
  }

  private struct Entry: Encodable {
    enum Status: String, Encodable {
      case unchanged, planned, repaired, refused, failed
    }

    var path: String
    var pathBytes: String?
    var output: String?
    var outputBytes: String?
    var status: Status
    var reason: String?
    var error: ResultDocument.Failure?
    /// Whether an earlier run made the new file.
    var isFromEarlierRun: Bool?
    /// Rules that the new file satisfies, those that it or the unchanged clip still breaks, and those that only `--unsafe`
    /// repairs.
    var repaired: [String]
    var remaining: [String]
    var needsEncoding: [String]
    /// The findings of the rules in ``remaining``.
    var findings: [Finding]
    /// Findings of repaired rules that do not count against the new file.
    var remarks: [Finding]
    /// Durations of the clip and of the new file, in seconds.
    var durationSeconds: Double?
    var newDurationSeconds: Double?
    var framesCompared: Int?
    var framesDiffering: Int?
    /// How they were compared: by the packets that they are decoded from, or by their samples.
    var comparison: String?
    var assumptions: [String]
    /// How the new file is made: by a copy of the packets, by encoding, or by a crop of the other shape.
    var method: String?
    /// The effects of encoding on the picture.
    var changes: [String]
    /// Always true for a new file.
    var needsNewArtworkID: Bool?

    init(_ outcome: RepairOutcome) {
      let plan = outcome.plan
      path = plan.candidate.path.string
      pathBytes = plan.candidate.path.percentEncodedUnlessText
      output = outcome.output?.string
      outputBytes = outcome.output?.percentEncodedUnlessText
      repaired = outcome.repaired.ruleNames
      switch outcome.status {
      case .unchanged: status = .unchanged
      case .planned: status = .planned
      case .repaired: status = .repaired
      case .fromEarlierRun:
        status = .repaired
        isFromEarlierRun = true
      case .refused(let why):
        status = .refused
        reason = why
        repaired = []
      case .failed(let why):
        status = .failed
        repaired = []
        error = ResultDocument.Failure(why)
      }
      findings = outcome.findings
      remaining = findings.ruleNames
      needsEncoding = plan.needsEncoding.ruleNames
      needsNewArtworkID = outcome.isRepaired ? true : nil
      remarks = outcome.isRepaired ? outcome.remarks : []
      durationSeconds = plan.inspection?.facts.durationSeconds
      newDurationSeconds = outcome.newFacts?.durationSeconds
      framesCompared = outcome.comparison?.compared
      framesDiffering = outcome.comparison?.differing
      comparison = outcome.comparison?.method.rawValue
      assumptions = outcome.assumptions
      changes = outcome.changes
      method =
        outcome.isDerived ? "derive" : outcome.recipe.map { $0.encoding == nil ? "copy" : "encode" }
    }
  }
}

extension [Finding] {
  /// The names of their rules, each once, in their order.
  package var ruleNames: [String] {
    var names: [String] = []
    for finding in self where !names.contains(finding.rule) { names.append(finding.rule) }
    return names
  }
}
