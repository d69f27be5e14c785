/// How many findings each rule has, for the end of a report.
enum RuleCount {
  /// Lists counts, for example `3 loop-seam, 2 aspect-ratio`: the most frequent first, equal ones in the order of the
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
