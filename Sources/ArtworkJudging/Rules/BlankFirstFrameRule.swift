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

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let first = candidate.inspection.looks?.firstFrame, isBlank(first.content),
      hasPicture(first)
    else { return [] }
    let tone =
      switch first.luma {
      case ..<32: "black"
      case 220...: "white"
      default: "nearly all one colour"
      }
    let start = first.pictureSeconds.map { "at \(decimal($0, places: 2)) s" } ?? "in a later frame"
    let fades = candidate.seam?.verdict == .fade
    return [
      finding(
        .error, "the first frame is the preview, and it is \(tone)",
        help: fades
          ? "start the clip where its fade ends; the picture reaches half of its contrast \(start)"
          : "start the clip with a picture; the first one appears \(start)",
        .artworkd(["loop"]), of: candidate,
        measured:
          "spread \(decimal(first.content.spread, places: 1)) in the first frame, up to \(decimal(first.largest.spread, places: 0)) in others",
        limit: "a picture in the first frame", profile: profile)
    ]
  }

  /// Whether the ends are blank, so that only a full decode settles the rule.
  static func isInDoubt(_ looks: AppearanceMeasurement) -> Bool {
    guard looks.scope == .ends else { return false }
    return isBlank(looks.firstFrame.content) && !hasPicture(looks.firstFrame)
  }
}
