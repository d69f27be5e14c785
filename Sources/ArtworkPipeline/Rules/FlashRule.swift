/// Flashes can cause seizures.
enum FlashRule: Rule {
  static let id = "flash"
  static let title = "no more than three flashes in any second"
  static let explanation = Explanation(
    meaning: """
      No more than three general flashes, and no more than three red ones, in any second of the repeated clip. \
      **Warning.**
      """,
    why: """
      flashes of 3 to 50 a second can cause seizures in people with photosensitive epilepsy, red ones most of all, and \
      artwork plays by itself and never ends. A bright last frame before a dark first one flashes once for each repeat.
      """,
    measured: """
      relative luminance in 16x16 cells of every frame, over the clip and its repeats. A flash is a pair of opposing \
      changes between peaks and valleys: of luminance by 0.1 or more where the darker state is below 0.8, or to or from \
      a saturated red (R at least 0.8 of R+G+B in linear light, 320 (R-G-B) changing by more than 20). Slow changes \
      count like sudden ones. A change counts where it covers more than a quarter of some part of the picture that is \
      half as wide and half as high: artwork that fills a screen is wider than the ten degrees of the definition. Half \
      a flash counts: seven changes in a second are more than three flashes. It takes every frame. By default only the \
      ends are decoded, and every frame where they show half of a flash or a profile makes this rule an error (`web`, \
      `spotify-canvas`): otherwise flashes in the middle of a longer clip are seen with `--thorough` only. \
      [looks.md](looks.md) has the accuracy and the limits. Passing is no medical guarantee.
      """,
    fix: """
      flash less often (at most three times a second), in less of the picture, or with less contrast; mix \
      neighbouring frames (`-vf tmix=frames=5`), or play the clip more slowly.
      """,
    source: """
      [WCAG 2.2, success criterion 2.3.1](https://www.w3.org/WAI/WCAG22/Understanding/three-flashes-or-below-threshold.html); \
      red flashes as WCAG 2.1 words them. The area is ours, chosen on the safe side.
      """)
  static let settings = [
    RuleSetting("at-most", "flashes within any second", .count(\.maxFlashes))
  ]

  /// The share of an area above which a change may be half of a flash.
  private static let area = 0.25

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let flash = candidate.inspection.looks?.flash else { return [] }
    let seconds = [("general", flash.general), ("red", flash.red)].compactMap { kind, second in
      second.map { (kind: kind, second: $0) }
    }
    let worst = seconds.max { $0.second.flashes < $1.second.flashes }
    guard let worst, worst.second.flashes > Double(profile.maxFlashes) else { return [] }
    let count = decimal(worst.second.flashes, places: 1)
    let kinds = seconds.filter { $0.second.flashes > Double(profile.maxFlashes) }.map(\.kind)
    let kind = kinds == ["red"] ? "red flashes" : "flashes"
    let start = decimal(worst.second.startSeconds, places: 2)
    return [
      finding(
        .warning, "\(count) \(kind) within a second, from \(start) s on: they can cause seizures",
        help:
          "flash at most \(profile.maxFlashes) times a second, in a smaller part of the picture or with less contrast",
        measured:
          "\(count) \(kinds.joined(separator: " and ")) flashes in one second of the repeated clip, over \(decimal(100 * worst.second.share, places: 0)) % of the picture",
        limit: "\(profile.maxFlashes) in any second", profile: profile)
    ]
  }

  /// Whether only every frame can tell: the ends show what may be half of a flash, or flashes are errors.
  static func isInDoubt(_ inspection: Inspection, profile: Profile) -> Bool {
    let severity = profile.severities[id]
    guard severity != .off, let looks = inspection.looks, looks.scope == .ends else { return false }
    return severity == .error || (looks.flash?.endChange ?? 0) > area
  }
}
