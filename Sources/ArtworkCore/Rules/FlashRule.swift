/// Flashes can cause seizures.
package enum FlashRule: Rule {
  package static let id = "flash"
  package static let title = "no more than three flashes in any second"
  package static let explanation = Explanation(
    meaning: """
      The repeated clip has at most three general flashes, and at most three red ones, in any second. \
      **Warning.**
      """,
    why: """
      flashes at 3 to 50 per second can cause seizures in people with photosensitive epilepsy. Red flashes are \
      the most dangerous. Artwork starts by itself and never ends. A bright last frame before a dark first \
      frame flashes once per repeat.
      """,
    measured: """
      relative luminance in 16x16 cells of every frame, over the clip and its repeats. A flash is a pair of \
      opposing changes. A change of luminance counts if it is 0.1 or more and the darker state is below 0.8. A \
      change to or from a saturated red counts if R is at least 0.8 of R+G+B in linear light and 320 (R-G-B) \
      changes by more than 20. A change must cover more than a quarter of a region that is half as wide and half \
      as high as the picture. Half flashes count: seven changes in a second are more than three flashes. \
      `broadcast` counts likewise what ITU-R BT.1702 does: 20 cd/m² or more over a quarter of the whole picture, the \
      darker state below 160 cd/m², with white at 203 cd/m². By \
      default every frame is decoded only if the ends show a flash, or if a profile makes this rule an error; \
      otherwise use `--thorough`. A pass is not a medical guarantee ([measurements.md](measurements.md)).
      """,
    fix: """
      flash less often (at most three times per second), over less of the picture, or with less contrast, and \
      export again. `artworkd repair --unsafe` dims flashes if that takes at most a quarter of the light of its frames, on \
      average. A strobe loses more, and needs a person.
      """,
    source: """
      [WCAG 2.2, success criterion \
      2.3.1](https://www.w3.org/WAI/WCAG22/Understanding/three-flashes-or-below-threshold.html); red flashes \
      as WCAG 2.1 defines them; [ITU-R BT.1702](https://www.itu.int/rec/R-REC-BT.1702). The area is ours, chosen on the safe side.
      """)
  package static let settings = [
    RuleSetting("at-most", "flashes in any second", .count(\.maxFlashes))
  ]

  /// A change that covers more than this share of a region may be half a flash.
  private static let area = 0.25

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
    let advice =
      "flash at most \(profile.maxFlashes) times per second, over less of the picture, or with less contrast, and export it again"
    return [
      finding(
        .warning, "\(count) \(kind) in one second, starting at \(start) s, can cause seizures",
        help:
          "\(advice); or `artworkd repair --unsafe` dims the flashes, at a cost of \(decimal(100 * (flash.dimmingLoss ?? 0), places: 0)) % of a frame's light on average",
        repair(candidate.facts, flash, profile), of: candidate,
        otherwise: "\(advice); dimming would take too much of the picture",
        measured:
          "\(count) \(kinds.joined(separator: " and ")) flashes in one second of the repeated clip, over \(decimal(100 * worst.share, places: 0)) % of the picture",
        limit: "at most \(profile.maxFlashes) in any second", profile: profile)
    ]
  }

  /// Dims the flashes. High dynamic range stays, because its colours are not to be converted for this.
  private static func repair(
    _ facts: MediaFacts, _ flash: FlashMeasurement, _ profile: Profile
  ) -> Repair? {
    guard flash.dimmingLoss != nil, !facts.color.isHDR || profile.wantsBT709 else { return nil }
    return .encode(facts, for: profile, ClipEdit(mostFlashes: profile.maxFlashes))
  }

  /// Whether only a full decode settles the rule: the ends may show a flash. A cut at the loop point is half of one, and
  /// repeats too slowly.
  static func isInDoubt(_ looks: AppearanceMeasurement) -> Bool {
    looks.scope == .ends && (looks.flash?.endReturn ?? 0) > area
  }
}
