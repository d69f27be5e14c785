/// The first displayed frame is the preview, so it must not be blank.
package enum BlankFirstFrameRule: Rule {
  package static let id = "blank-first-frame"

  /// Code values and shares, chosen on the tuning half of the labelled clips.
  private enum Limit {
    static let blank = PictureContent(spread: 6, points: 0.0003)
    static let picture = PictureContent(spread: 16, points: 0.001)
    static let timesAsMuch = 4.0
  }

  private static func isBlank(_ content: PictureContent) -> Bool {
    content.spread < Limit.blank.spread && content.points < Limit.blank.points
  }

  private static func hasPicture(_ first: FirstFrame) -> Bool {
    let largest = first.largest
    return largest.points >= Limit.picture.points
      || largest.spread >= max(Limit.picture.spread, Limit.timesAsMuch * first.content.spread)
  }

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let first = candidate.inspection.looks?.firstFrame, isBlank(first.content),
      hasPicture(first)
    else { return nil }
    let tone =
      switch first.luma {
      case ..<32: "black"
      case 220...: "white"
      default: "nearly all one colour"
      }
    let start = first.pictureSeconds.map { "at \(decimal($0, places: 2)) s" } ?? "in a later frame"
    let fades = candidate.seam?.verdict == .fade
    return Breach(
      .error, "the first frame is the preview, and it is \(tone)",
      help: fades
        ? "start the clip where its fade ends; the picture reaches half of its contrast \(start)"
        : "start the clip with a picture; the first one appears \(start)", .artworkd(["loop"]),
      measured:
        "spread \(decimal(first.content.spread, places: 1)) in the first frame, up to \(decimal(first.largest.spread, places: 0)) in others",
      limit: "a picture in the first frame")
  }

  /// Whether the ends are blank, so that only a full decode settles the rule.
  static func isInDoubt(_ looks: AppearanceMeasurement) -> Bool {
    guard looks.scope == .ends else { return false }
    return isBlank(looks.firstFrame.content) && !hasPicture(looks.firstFrame)
  }
}

/// Flashes can cause seizures.
package enum FlashRule: Rule {
  package static let id = "flash"
  package static let settings = [
    RuleSetting("at-most", \.maxFlashes, .count)
  ]

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let flash = candidate.inspection.looks?.flash else { return nil }
    let seconds = [
      ("general", flash.general), ("red", flash.red), ("broadcast", flash.broadcast),
    ].compactMap { kind, second in
      second.map { (kind: kind, second: $0) }
    }
    guard let worst = flash.worst, worst.flashes > Double(profile.maxFlashes) else { return nil }
    let count = decimal(worst.flashes, places: 1)
    let kinds = seconds.filter { $0.second.flashes > Double(profile.maxFlashes) }.map(\.kind)
    let kind = kinds == ["red"] ? "red flashes" : "flashes"
    let start = decimal(worst.startSeconds, places: 2)
    return Breach(
      .warning, "\(count) \(kind) in one second, starting at \(start) s, can cause seizures",
      help:
        "flash at most \(profile.maxFlashes) times per second, over less of the picture, or with less contrast, and export it again",
      measured:
        "\(count) \(kinds.joined(separator: " and ")) flashes in one second of the repeated clip, over \(decimal(100 * worst.share, places: 0)) % of the picture",
      limit: "at most \(profile.maxFlashes) in any second")
  }

  /// Whether only a full decode settles the rule: the ends may show a flash. A cut at the loop point is half of one, and
  /// repeats too slowly.
  static func isInDoubt(_ looks: AppearanceMeasurement) -> Bool {
    looks.scope == .ends && (looks.flash?.endReturn ?? 0) > FlashMeasurement.area
  }
}

/// A picture that was much enlarged or blurred looks soft on a large screen.
package enum SoftnessRule: Rule {
  package static let id = "softness"

  /// Chosen on the tuning half of the labelled pictures.
  private static let least = 0.018

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let share = candidate.inspection.looks?.fineDetail, share < least else { return nil }
    return Breach(
      .info, "the picture is soft: much enlarged, or blurred",
      help:
        "export it from the original artwork at its own size; ignore this if it is meant to be out of focus",
      measured: "\(decimal(100 * share, places: 1)) % fine detail where it is sharpest",
      limit: "at least \(decimal(100 * least, places: 1)) %")
  }
}

/// Squares with visible edges: an encoder had too few bits, now or before.
package enum BlockinessRule: Rule {
  package static let id = "blockiness"

  /// Chosen on the tuning half of the labelled videos, and higher for drawn noise that was enlarged.
  private static let least = 0.09

  /// Whether the blocks of an encoder show.
  static func isBlocky(_ looks: AppearanceMeasurement) -> Bool { looks.blockEdges ?? 0 >= least }

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let looks = candidate.inspection.looks, isBlocky(looks), let edges = looks.blockEdges
    else { return nil }
    return Breach(
      .info, "squares show: it was compressed too much, here or before",
      help:
        "export it from the original artwork with a higher bit rate; encoding this file again keeps the squares",
      measured: "\(decimal(100 * edges, places: 1)) % of the edges of its blocks show",
      limit: "less than \(decimal(100 * least, places: 1)) %")
  }
}

/// A gradient in visible steps: too few levels, or an encoder that left them out.
package enum BandingRule: Rule {
  package static let id = "banding"

  /// Chosen on the tuning half of the labelled videos.
  private static let least = 0.0025

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    // Blocks are steps too.
    guard let looks = candidate.inspection.looks, let bands = looks.bands, bands >= least,
      !BlockinessRule.isBlocky(looks)
    else { return nil }
    return Breach(
      .info, "a gradient shows steps",
      help:
        "export it from the original with a little noise and a higher bit rate; ignore this if the bands are drawn",
      measured: "\(decimal(100 * bands, places: 2)) % of the picture is in stairs",
      limit: "less than \(decimal(100 * least, places: 2)) %")
  }
}
