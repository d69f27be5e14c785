/// The size of the picture: as the destination requires, not too small, and even.
package enum DimensionsRule: Rule {
  package static let id = "dimensions"
  package static let settings = [
    RuleSetting("at-least", \.smallestSide, .count)
  ]

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let shape = profile.shape(
      nearestTo: facts.displayAspectRatio.value, key: candidate.key)
    let displaySize = PixelSize(
      width: max(1, facts.displayWidth), height: max(1, facts.displayHeight))
    var found: [Finding] = []
    if let wanted = shape?.size, wanted != displaySize {
      found.append(
        finding(
          .error, "the picture is not \(wanted) pixels, the size that the destination requires",
          help: "export it at \(wanted)",
          shape.flatMap { shape in
            CropArea(facts).largest(shape)?.repair(facts, shape: shape, for: profile)
          },
          of: candidate, otherwise: "export it at \(wanted) from its source",
          measured: displaySize.description, limit: wanted.description,
          profile: profile))
    } else if let least = profile.smallestSide, min(displaySize.width, displaySize.height) < least {
      found.append(
        finding(
          .info, "the picture is small and looks blurred on large displays",
          help: "export it larger from its source, with a shorter side of at least \(least) pixels",
          measured: displaySize.description, limit: "a shorter side of at least \(least) pixels",
          profile: profile))
    }
    if facts.chroma == "4:2:0", facts.codedWidth % 2 != 0 || facts.codedHeight % 2 != 0 {
      found.append(
        finding(
          .warning, "the video is 4:2:0 with an odd side: players crop or smear the edge",
          help: "crop or scale it to even sides", .encode(facts, for: profile), of: candidate,
          measured: "\(facts.codedWidth)x\(facts.codedHeight)", limit: "even sides",
          profile: profile))
    }
    return found
  }
}
