import ArtworkModel

/// The size of the picture: the one that a destination demands, not too small, and even.
enum DimensionsRule: Rule {
  static let id = "dimensions"
  static let title = "the picture has a good size"
  static let explanation = Explanation(
    meaning: """
      The picture has the exact size that the destination demands, where it demands one (**error**); its \
      shorter side is not below the profile's limit (**info**; **error** for Canvas); and both sides of 4:2:0 video are even (**warning**).
      """,
    why: """
      stores refuse other sizes. A small picture is blurred on a lock screen, which is at least 1,100 \
      pixels wide. Chroma samples of 4:2:0 cover two by two pixels: with an odd side, encoders and players \
      crop, pad or smear the last row or column, each in its own way.
      """,
    measured: """
      the size on screen for the first two: cropped, with square pixels, upright. For the third the size of \
      the decoded picture after the bitstream's own cropping.
      """,
    fix: """
      export it at the size that the finding names. Enlarging a small picture mends nothing: go back to the \
      source.
      """,
    source: """
      the profile's sources for demanded sizes; Apple allows any size in Now Playing; the limits on small \
      and odd sizes are ours.
      """)
  static let settings = [
    RuleSetting("at-least", "pixels of the shorter side", .countLimit(\.smallestSide))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let shape = profile.shape(
      nearestTo: facts.displayAspectRatio.value, key: candidate.key)
    let shown = PixelSize(width: max(1, facts.displayWidth), height: max(1, facts.displayHeight))
    var found: [Finding] = []
    if let wanted = shape?.size, wanted != shown {
      found.append(
        finding(
          .error, "the picture must have \(wanted) pixels",
          help: "export it at \(wanted)", measured: shown.description, limit: wanted.description,
          profile: profile))
    } else if let least = profile.smallestSide, min(shown.width, shown.height) < least {
      found.append(
        finding(
          .info, "the picture is small and will be blurred where it is shown large",
          help: "export it larger from its source, with a shorter side of at least \(least) pixels",
          measured: shown.description, limit: "a shorter side of at least \(least) pixels",
          profile: profile))
    }
    if facts.chroma == "4:2:0", facts.codedWidth % 2 != 0 || facts.codedHeight % 2 != 0 {
      let even = (facts.codedWidth / 2 * 2, facts.codedHeight / 2 * 2)
      found.append(
        finding(
          .warning, "4:2:0 video with an odd side is cropped or smeared at its edge",
          help: "crop or scale it to even sides, for example -vf crop=\(even.0):\(even.1)",
          measured: "\(facts.codedWidth)x\(facts.codedHeight)", limit: "even sides",
          profile: profile))
    }
    return found
  }
}
