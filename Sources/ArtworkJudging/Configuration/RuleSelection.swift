/// The rules that a run applies: `--select` and `--ignore`.
package struct RuleSelection: Sendable, Equatable {
  /// Rules that are not applied.
  private var omitted: Set<String> = []

  /// Applies every rule.
  package init() {}

  /// - Parameters:
  ///   - selected: ids of the only rules to apply; all rules if empty.
  ///   - ignored: ids of rules to leave out, also of those selected.
  package init(selected: [String], ignored: [String]) {
    let all = Set(Rules.catalogue.map { $0.id })
    omitted = selected.isEmpty ? [] : all.subtracting(selected)
    omitted.formUnion(ignored)
  }

  package func contains(_ rule: String) -> Bool { !omitted.contains(rule) }

  /// The profile with the other rules switched off.
  package func applied(to profile: Profile) -> Profile {
    var profile = profile
    for rule in omitted { profile.severities[rule] = .off }
    return profile
  }
}
