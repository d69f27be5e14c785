import ArtworkModel

/// The displayed picture has the aspect ratio of its key. The system may reject other artwork.
enum AspectRatioRule: Rule {
  static let id = "aspect-ratio"
  static let title = "the picture has the aspect ratio of its key"
  static let explanation = Explanation(
    meaning: """
      The displayed picture is 1:1 or 3:4, as its key says, or has the nearest shape that the destination \
      accepts (9:16, 16:9). It fits within 0.5 %. **Warning** up to 2 %; **error** beyond.
      """,
    why: """
      any size is allowed, but the system may reject artwork with the wrong aspect ratio and show the static \
      cover. The same applies to the preview.
      """,
    measured: """
      the display aspect ratio: width over height after clean aperture, sample aspect ratio and rotation. \
      Apple's own tall size, 2048x2732, is 0.049 % off.
      """,
    fix: """
      crop, or export at the size in the finding. If the picture looks right and only its pixels are declared \
      non-square, use `-vf setsar=1`.
      """,
    source: """
      Apple for the requirement; the tolerances are ours.
      """)

  static let settings = [
    RuleSetting(
      "tolerance", "largest deviation that fits", .number(\.aspectTolerance, unit: "%")),
    RuleSetting(
      "warning", "largest deviation that is a warning and not an error",
      .number(\.aspectWarning, unit: "%")),
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let aspect = facts.displayAspectRatio.value
    guard let wanted = profile.shape(nearestTo: aspect, key: candidate.key) else { return [] }
    let deviation = aspect / wanted.aspect.value - 1
    guard abs(deviation) > profile.aspectTolerance else { return [] }
    let isError = abs(deviation) > profile.aspectWarning
    let percent = decimal(abs(deviation) * 100, places: 2)
    let shape = deviation > 0 ? "wide" : "tall"
    let other = profile.shapes.first { other in
      other.key != nil && other.key != candidate.key
        && abs(aspect / other.aspect.value - 1) <= profile.aspectTolerance
    }
    return [
      finding(
        isError ? .error : .warning,
        "the picture is \(percent) % too \(shape) for \(wanted.name)",
        help: other.map { "it fits \($0.name): rename it, or check it with --key \($0.name)" }
          ?? "crop it to \(suggestion(wanted, facts: facts)), or export it in that shape",
        measured:
          "\(facts.displayDescription) (\(decimal(facts.displayAspect, places: 4)):1)",
        limit:
          "\(decimal(wanted.aspect.value, places: 4)):1 within \(decimal(profile.aspectTolerance * 100, places: 2)) %",
        profile: profile)
    ]
  }

  /// The required size, or else the largest even size of the shape inside the picture.
  private static func suggestion(_ shape: ArtworkShape, facts: MediaFacts) -> String {
    if let size = shape.size { return size.description }
    let (w, h) = (
      Int(clamping: shape.aspect.numerator), Int(clamping: shape.aspect.denominator)
    )
    let unit = max(2, min(facts.displayWidth / w, facts.displayHeight / h) / 2 * 2)
    return "\(unit.multipliedClamped(by: w))x\(unit.multipliedClamped(by: h))"
  }
}
