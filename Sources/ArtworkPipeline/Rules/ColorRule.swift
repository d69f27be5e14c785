/// What can go wrong between the video's colours and an sRGB preview.
enum ColorRule: Rule {
  static let id = "color"
  static let title = "the colours are described and standard dynamic range"
  static let explanation = Explanation(
    meaning: """
      Standard dynamic range, primaries within sRGB, and a stated colour matrix. **Warning** for HDR (PQ or HLG), \
      **info** for the others; **error** for all but BT.709 and sRGB where the destination asks for them.
      """,
    why: """
      the preview is an sRGB picture. An HDR video will not match it: colours change visibly when the \
      video takes over. Without a stated matrix players guess, some by the size of the picture, and the \
      preview may differ in hue.
      """,
    measured: """
      the colour description of the bitstream, else of the container.
      """,
    fix: """
      export it in BT.709 and say so: `-colorspace bt709 -color_primaries bt709 -color_trc bt709`. HDR \
      needs tone mapping.
      """,
    source: """
      ours. Apple asks that the preview match the first frame.
      """)

  static let settings = [
    RuleSetting("bt709", "ask for BT.709 or sRGB", .flag(\.wantsBT709))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let color = facts.color
    if profile.wantsBT709, let other = stranger(in: color) {
      return [
        finding(
          .error, "the colours are not those of BT.709 or sRGB",
          help: "convert it in your editor, or with -vf colorspace=bt709 (HDR needs tone mapping)",
          measured: other, limit: "BT.709 or sRGB", profile: profile)
      ]
    }
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

  /// What is stated and belongs neither to BT.709 nor to sRGB (IEC 61966-2-1), which share their primaries.
  private static func stranger(in color: ColorDescription) -> String? {
    if color.isHDR { return color.transfer }
    if let primaries = color.primaries, primaries != "bt709" { return primaries }
    if let matrix = color.matrix, !["bt709", "gbr"].contains(matrix) { return matrix }
    return nil
  }
}
