/// The explanation of a seam verdict, for `artworkd explain`.
struct SeamVerdictText {
  let verdict: SeamJudgement.Verdict

  func text(style: TextStyle, width: Int?) -> String {
    SectionText(
      name: verdict.rawValue, title: "a seam verdict: \(title)", introduction: meaning,
      sections: [("Severity", severity), ("Fix", fix)]
    ).render(style: style, width: width)
  }

  /// Explanation of the verdict, as docs/check.md lists it.
  private var title: String {
    switch verdict {
    case .seamless: "the motion continues from the last frame to the first"
    case .static: "nothing moves"
    case .jump: "frames are missing at the repeat, or shown twice"
    case .cut: "the clip ends in a different picture"
    case .held: "a frame is repeated, so the loop hesitates"
    case .freeze: "the motion stops at one end"
    case .fade: "the clip fades in from or out to a flat picture"
    case .shift: "exposure or colour changes at the repeat"
    case .pop: "the picture suddenly becomes sharper"
    case .reverse: "the motion turns around"
    case .uncertain: "not settled; only in reports of earlier versions"
    }
  }

  private var meaning: String {
    switch verdict {
    case .seamless: "Nobody notices where the clip repeats."
    case .static: "A still picture loops everywhere, but animated artwork should move."
    case .jump:
      "Objects are not where their motion predicts: too far ahead if frames are missing, too far back if "
        + "frames are shown twice."
    case .cut: "The last and the first frame show different things."
    case .held:
      "The last frame equals the first, or nearly. In a perfect loop, the last frame comes one step before the "
        + "first."
    case .freeze:
      "The picture is held for several frames at the start or at the end, then moves on at once."
    case .fade: "Contrast rises from nothing at the start, or sinks to nothing at the end."
    case .shift: "The picture continues, but lighter, darker or in another colour."
    case .pop:
      "The encoder had few bits left for the last frames; the key frame at the start is sharper."
    case .reverse: "The motion reverses at the seam."
    case .uncertain:
      "Earlier versions could leave the question open."
    }
  }

  private var severity: String {
    switch verdict {
    case .seamless: "no finding."
    case .static: "the rule `static` warns."
    case .fade: "the rule `fade` reports an **error**."
    default: "that of the rule `loop-seam`; `artworkd explain loop-seam` lists them."
    }
  }

  private var fix: String {
    switch verdict {
    case .seamless: "nothing to do."
    case .static: "animate the artwork, or use a picture."
    case .jump, .cut:
      "`artworkd loop FILE` finds parts that loop, and `artworkd seam FILE` draws the difference. Otherwise "
        + "cross-fade the end into the start."
    case .held: "remove the duplicate frame."
    case .freeze: "cut off the frames that stand still, or let the motion come to rest slowly."
    case .fade: "cut off the fade, or dissolve the end into the start."
    case .shift: "even out exposure and colour, or cross-fade the end into the start."
    case .pop: "encode with constant quality (`-crf`) or a higher bit rate, and with shorter GOPs."
    case .reverse:
      "nothing if the clip swings to and fro on purpose; otherwise `artworkd loop FILE` finds parts that loop."
    case .uncertain: "check the clip again."
    }
  }
}
