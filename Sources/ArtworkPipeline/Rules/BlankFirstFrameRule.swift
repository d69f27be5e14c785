/// The first displayed frame is the preview: it must show something.
enum BlankFirstFrameRule: Rule {
  static let id = "blank-first-frame"
  static let title = "the first frame shows something"
  static let explanation = Explanation(
    meaning: """
      The first displayed frame is a picture, if later ones are. **Error.**
      """,
    why: """
      it is the preview: what is shown before the video plays, and instead of it in low-power mode, with Reduce Motion, \
      and wherever animation is off. A black or white square then stands for the album.
      """,
    measured: """
      the *spread*, which is the largest difference between the means of 16x16 cells, in luma and in chroma; and the share \
      of pixels that are far from the mean, for small things. A frame with a spread below 6 code values and next to no \
      such pixels (0.03 %) is blank; it counts if another frame has a spread of at least 16, and four times as much, or \
      0.1 % of such pixels. Where all frames at the ends are blank, every frame is looked at. A small logo on black and \
      a sky of stars are pictures; a clip that stays plain is not this rule's but `static`'s.
      """,
    fix: """
      let the clip begin with a frame that stands for it: the finding says when the picture is there. A fade from black \
      is a `fade`, too.
      """,
    source: """
      Apple asks that the preview be the first frame; that it be worth looking at is ours.
      """)

  /// Code values and shares; chosen on the tuning half of the labelled set.
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

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let first = candidate.inspection.looks?.firstFrame, isBlank(first.content),
      hasPicture(first)
    else { return [] }
    let tone =
      switch first.luma {
      case ..<32: "black"
      case 220...: "white"
      default: "one colour"
      }
    let start = first.pictureSeconds.map { "at \(decimal($0, places: 2)) s" } ?? "later"
    return [
      finding(
        .error, "the first frame, which is the preview, is \(tone)",
        help: "let the clip begin with a picture: there is one \(start)",
        measured:
          "a spread of \(decimal(first.content.spread, places: 1)) levels in the first frame, of \(decimal(first.largest.spread, places: 0)) in others",
        limit: "a picture in the first frame, if there is one", profile: profile)
    ]
  }

  /// Whether only every frame can tell: those at the ends are blank.
  static func isInDoubt(_ inspection: Inspection) -> Bool {
    guard let looks = inspection.looks, looks.scope == .ends else { return false }
    return isBlank(looks.firstFrame.content) && !hasPicture(looks.firstFrame)
  }
}
