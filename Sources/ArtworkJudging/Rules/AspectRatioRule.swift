/// The displayed picture has the aspect ratio of its key. The system may reject other artwork.
enum AspectRatioRule: Rule {
  static let id = "aspect-ratio"

  static let settings = [
    RuleSetting("tolerance", \.aspectTolerance, .number("%")),
    RuleSetting("warning", \.aspectWarning, .number("%")),
    RuleSetting("named-only", \.judgesNamedShapesOnly, .flag),
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let aspect = facts.displayAspectRatio.value
    guard candidate.keyIsStated || !profile.judgesNamedShapesOnly,
      let wanted = profile.shape(nearestTo: aspect, key: candidate.key)
    else { return [] }
    let deviation = aspect / wanted.aspect.value - 1
    guard abs(deviation) > profile.aspectTolerance else { return [] }
    let isError = abs(deviation) > profile.aspectWarning
    let percent = decimal(abs(deviation) * 100, places: 2)
    let shape = deviation > 0 ? "wide" : "tall"
    let other = profile.shapes.first { other in
      other.key != nil && other.key != candidate.key
        && abs(aspect / other.aspect.value - 1) <= profile.aspectTolerance
    }
    let repairPlan = repairPlan(facts, wanted, fits: other, profile)
    return [
      finding(
        isError ? .error : .warning,
        "the picture is \(percent) % too \(shape) for \(wanted.name)",
        help: repairPlan.help, repairPlan.repair, of: candidate,
        otherwise: repairPlan.isOnlyAdvice
          ? nil
          : "export it at \(wanted.size?.description ?? wanted.name)"
            + (wanted.size == nil ? "" : " from its source"),
        measured:
          "\(facts.displayDescription) (\(decimal(facts.displayAspect, places: 4)):1)",
        limit:
          "\(decimal(wanted.aspect.value, places: 4)):1 within \(decimal(profile.aspectTolerance * 100, places: 2)) %",
        profile: profile)
    ]
  }

  private static func repairPlan(
    _ facts: MediaFacts, _ wanted: ArtworkShape, fits other: ArtworkShape?, _ profile: Profile
  ) -> (help: String, repair: Repair?, isOnlyAdvice: Bool) {
    if let other, let key = other.key {
      return (
        "it fits \(other.name): rename it, or check it with --key \(other.name)",
        .artworkd(["check", "--key", key.rawValue]), false
      )
    }
    let isTurned = facts.rotation % 180 != 0
    let stored = Double(facts.codedWidth) / Double(max(1, facts.codedHeight))
    let upright = isTurned ? 1 / stored : stored
    if facts.sampleAspect != .one, facts.cleanAperture == nil, wanted.size == nil,
      abs(upright / wanted.aspect.value - 1) <= profile.aspectTolerance
    {
      return (
        "the stored picture has the right shape, but the declared pixel aspect stretches it; if it looks right unstretched, declare square pixels, otherwise export it in the right shape",
        .encode(facts, for: profile, ClipEdit(ignoresPixelAspect: true)), false
      )
    }
    if isTurned,
      let fitting = profile.shapes.first(where: {
        abs(stored * facts.sampleAspect.value / $0.aspect.value - 1) <= profile.aspectTolerance
      })
    {
      return (
        "the stored picture is \(fitting.name), and a rotation by \(facts.rotation) degrees turns it: if it looks right unturned, export it without the rotation",
        nil, true
      )
    }
    let area = CropArea(facts).largest(wanted)
    let size = wanted.size ?? area.map { PixelSize(width: $0.width, height: $0.height) }
    return (
      "crop it to \(size?.description ?? wanted.name), or export it in that shape",
      area?.repair(facts, shape: wanted, for: profile), false
    )
  }
}
