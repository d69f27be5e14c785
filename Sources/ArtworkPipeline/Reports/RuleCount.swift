/// How many findings each rule has, for the end of a report.
enum RuleCount {
  /// By the rule's id. A finding that several profiles share counts once.
  ///
  /// - Parameter least: milder findings do not count.
  static func byRule(
    _ reports: [CandidateReport], atLeast least: Finding.Severity = .info
  ) -> [String: Int] {
    var counts: [String: Int] = [:]
    for report in reports {
      for group in FindingGroup.groups(report.findings) where group.severity >= least {
        counts[group.rule, default: 0] += 1
      }
    }
    return counts
  }

  /// For example `3 loop-seam, 2 aspect-ratio`: the most frequent first, equal ones in the order of the
  /// documents. `nil` for none.
  static func sentence(_ counts: [String: Int]) -> String? {
    let order = Dictionary(
      uniqueKeysWithValues: Rules.catalogue.enumerated().map { ($1.id, $0) })
    func place(_ rule: String) -> (Int, String) { (order[rule] ?? order.count, rule) }
    let sorted = counts.sorted { left, right in
      left.value == right.value ? place(left.key) < place(right.key) : left.value > right.value
    }
    return sorted.isEmpty ? nil : sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}
