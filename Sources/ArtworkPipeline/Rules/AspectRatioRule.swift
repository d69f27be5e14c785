/// The displayed picture must have the aspect of its key: the system ignores artwork that does not.
enum AspectRatioRule: Rule {
  static let id = "aspect-ratio"
  static let title = "the picture has the aspect of its key"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let wanted = candidate.key.aspect
    let deviation = facts.displayAspectRatio.value / wanted.value - 1
    guard abs(deviation) > profile.aspectTolerance else { return [] }
    let isError = abs(deviation) > profile.aspectWarning
    let percent = decimal(abs(deviation) * 100, places: 2)
    let shape = deviation > 0 ? "wide" : "tall"
    let other = ArtworkKey.allCases.first { key in
      key != candidate.key
        && abs(facts.displayAspectRatio.value / key.aspect.value - 1) <= profile.aspectTolerance
    }
    return [
      finding(
        isError ? .error : .warning,
        "the picture is \(percent) % too \(shape) for \(candidate.key.rawValue)",
        help: other.map {
          "it fits \($0.rawValue): rename it, or check it with --key \($0.rawValue)"
        }
          ?? "crop it to \(suggestion(candidate.key, facts: facts)), or export it in that shape",
        measured:
          "\(facts.displayDescription) (\(decimal(facts.displayAspect, places: 4)):1)",
        limit:
          "\(decimal(wanted.value, places: 4)):1 within \(decimal(profile.aspectTolerance * 100, places: 2)) %",
        profile: profile)
    ]
  }

  /// The largest even size of the key's aspect inside the picture.
  private static func suggestion(_ key: ArtworkKey, facts: MediaFacts) -> String {
    let (w, h) = key == .square ? (1, 1) : (3, 4)
    let unit = max(2, min(facts.displayWidth / w, facts.displayHeight / h) / 2 * 2)
    return "\(unit.multipliedClamped(by: w))x\(unit.multipliedClamped(by: h))"
  }
}
