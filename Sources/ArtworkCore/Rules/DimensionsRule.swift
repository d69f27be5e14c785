/// The size of the picture: as the destination requires, not too small, and even.
enum DimensionsRule: Rule {
  static let id = "dimensions"
  static let title = "the picture has a suitable size"
  static let explanation = Explanation(
    meaning: """
      The picture has the exact size that the destination requires, if it requires one (**error**). Its \
      shorter side reaches the profile's minimum (**info**; **error** for Canvas). Both sides of 4:2:0 video \
      are even (**warning**).
      """,
    why: """
      stores reject other sizes. A small picture is blurred on a lock screen. If a side is odd, encoders and \
      players crop, pad or smear the last row or column of 4:2:0 video, each in its own way.
      """,
    measured: """
      the display size for the first two: cropped, with square pixels, upright. For the third, the decoded \
      size after the bitstream's own cropping.
      """,
    fix: """
      export at the size in the finding. `artworkd repair --unsafe` scales a larger picture down, and cuts off \
      an odd row or column. Upscaling adds no detail.
      """,
    source: """
      the profile's sources for required sizes. Apple allows any size in Now Playing. The limits for small and \
      odd sizes are ours.
      """)
  static let settings = [
    RuleSetting("at-least", "pixels on the shorter side", .countLimit(\.smallestSide))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
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
