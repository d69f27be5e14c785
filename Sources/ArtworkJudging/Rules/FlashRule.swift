/// Flashes can cause seizures.
package enum FlashRule: Rule {
  package static let id = "flash"
  package static let settings = [
    RuleSetting("at-most", \.maxFlashes, .count)
  ]

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let flash = candidate.inspection.looks?.flash else { return [] }
    let seconds = [
      ("general", flash.general), ("red", flash.red), ("broadcast", flash.broadcast),
    ].compactMap { kind, second in
      second.map { (kind: kind, second: $0) }
    }
    guard let worst = flash.worst, worst.flashes > Double(profile.maxFlashes) else { return [] }
    let count = decimal(worst.flashes, places: 1)
    let kinds = seconds.filter { $0.second.flashes > Double(profile.maxFlashes) }.map(\.kind)
    let kind = kinds == ["red"] ? "red flashes" : "flashes"
    let start = decimal(worst.startSeconds, places: 2)
    return [
      finding(
        .warning, "\(count) \(kind) in one second, starting at \(start) s, can cause seizures",
        help:
          "flash at most \(profile.maxFlashes) times per second, over less of the picture, or with less contrast, and export it again",
        measured:
          "\(count) \(kinds.joined(separator: " and ")) flashes in one second of the repeated clip, over \(decimal(100 * worst.share, places: 0)) % of the picture",
        limit: "at most \(profile.maxFlashes) in any second", profile: profile)
    ]
  }

  /// Whether only a full decode settles the rule: the ends may show a flash. A cut at the loop point is half of one, and
  /// repeats too slowly.
  static func isInDoubt(_ looks: AppearanceMeasurement) -> Bool {
    looks.scope == .ends && (looks.flash?.endReturn ?? 0) > FlashMeasurement.area
  }
}
