/// Whether an sRGB preview can match the video's colours.
enum ColorRule: Rule {
  static let id = "color"
  static let title = "the video is SDR and states its colours"
  static let explanation = Explanation(
    meaning: """
      The video is SDR, its primaries are within sRGB, and it states its colour matrix. **Warning** for HDR \
      (PQ or HLG), **info** for the others. If the destination requires BT.709 or sRGB, any other stated \
      colours are an **error**.
      """,
    why: """
      the preview is an sRGB picture and does not match an HDR video, so colours change visibly when the video \
      takes over. Without a stated matrix players guess, some from the picture size, and the preview may \
      differ in hue.
      """,
    measured: """
      the colour description in the bitstream, or else in the container.
      """,
    fix: """
      export in BT.709 and tag it: `-colorspace bt709 -color_primaries bt709 -color_trc bt709`. HDR needs tone \
      mapping.
      """,
    source: """
      ours. Apple asks that the preview match the first frame.
      """)

  static let settings = [
    RuleSetting("bt709", "require BT.709 or sRGB", .flag(\.wantsBT709))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let color = facts.color
    if profile.wantsBT709, let other = mismatch(in: color) {
      return [
        finding(
          .error, "the colours are neither BT.709 nor sRGB",
          help: "convert it in your editor, or with -vf colorspace=bt709 (HDR needs tone mapping)",
          measured: other, limit: "BT.709 or sRGB", profile: profile)
      ]
    }
    if color.isHDR {
      return [
        finding(
          .warning,
          "the video is HDR, so the tone-mapped preview will not match it",
          help: "export it in SDR, BT.709",
          measured: color.transfer == "smpte2084" ? "PQ (smpte2084)" : "HLG (arib-std-b67)",
          limit: "BT.709 or sRGB", profile: profile)
      ]
    }
    if color.isWideGamut {
      return [
        finding(
          .info, "the preview shows the wide-gamut colours of the video as sRGB",
          help: "export with BT.709 primaries", measured: color.primaries, limit: "bt709",
          profile: profile)
      ]
    }
    guard facts.chroma != "rgb", color.matrix == nil else { return [] }
    return [
      finding(
        .info,
        "the colour matrix is not stated: players guess, and the preview assumes BT.601",
        help: "state it in the export: -colorspace bt709 -color_primaries bt709 -color_trc bt709",
        measured: "unspecified", limit: "a stated matrix", profile: profile)
    ]
  }

  /// The stated colour property that fits neither BT.709 nor sRGB (IEC 61966-2-1), which share their primaries.
  private static func mismatch(in color: ColorDescription) -> String? {
    if color.isHDR { return color.transfer }
    if let primaries = color.primaries, primaries != "bt709" { return primaries }
    if let matrix = color.matrix, !["bt709", "gbr"].contains(matrix) { return matrix }
    return nil
  }
}
