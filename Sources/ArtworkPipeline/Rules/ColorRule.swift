/// What can go wrong between the video's colours and an sRGB preview.
enum ColorRule: Rule {
  static let id = "color"
  static let title = "the colours are described and standard dynamic range"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let color = facts.color
    if color.isHDR {
      return [
        finding(
          .warning,
          "the video is high dynamic range: the preview is tone-mapped and will not match",
          help: "export it in standard dynamic range, BT.709",
          measured: color.transfer == "smpte2084" ? "PQ (smpte2084)" : "HLG (arib-std-b67)",
          limit: "BT.709 or sRGB", profile: profile)
      ]
    }
    if color.isWideGamut {
      return [
        finding(
          .info, "wide-gamut colours are shown as sRGB in the preview",
          help: "export it with BT.709 primaries", measured: color.primaries, limit: "bt709",
          profile: profile)
      ]
    }
    guard facts.chroma != "rgb", color.matrix == nil else { return [] }
    return [
      finding(
        .info,
        "no colour matrix is stated: players guess, and the preview assumes BT.601",
        help: "state it when exporting: -colorspace bt709 -color_primaries bt709 -color_trc bt709",
        measured: "unspecified", limit: "a stated matrix", profile: profile)
    ]
  }
}
