/// Whether an sRGB preview can match the video's colours.
enum ColorRule: Rule {
  static let id = "color"

  static let settings = [
    RuleSetting("bt709", \.wantsBT709, .flag),
    RuleSetting("limited-range", \.wantsLimitedRange, .flag),
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let color = facts.color
    if profile.wantsBT709, let other = mismatch(in: color) {
      return [
        finding(
          .error, "the colours are neither BT.709 nor sRGB",
          help: color.isHDR
            ? "export it in BT.709; the repair maps its tones"
            : "convert it to BT.709",
          .standardColors(facts, for: profile), of: candidate,
          otherwise: "convert it to BT.709 in your editor", measured: other,
          limit: "BT.709 or sRGB", profile: profile)
      ]
    }
    if color.isHDR {
      return [
        finding(
          .warning,
          "the video is HDR, so the tone-mapped preview will not match it",
          help: "export it in SDR, BT.709; the repair maps its tones",
          .standardColors(facts, for: profile), of: candidate,
          otherwise: "export it in SDR, BT.709",
          measured: light(facts),
          limit: "BT.709 or sRGB", profile: profile)
      ]
    }
    if let vision = facts.dolbyVision {
      return [
        finding(
          .warning, "the video is Dolby Vision without a base that other players show right",
          help: "export it in SDR, BT.709", measured: "Dolby Vision profile \(vision)",
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
    if facts.hasUnreadAlpha == true {
      let place = facts.codec == "hevc" ? "layer" : "track"
      return [
        finding(
          .warning,
          "its transparency is a \(place) of its own, which is not read: previews and imports are opaque",
          help: "export it over the background that it is shown on",
          measured: "a \(place) of transparency", limit: "an opaque video", profile: profile)
      ]
    }
    if let stated = facts.containerColor {
      return [
        finding(
          .warning, "the container states other colours than the video itself, and players differ",
          help: "export it again; the repair keeps what the video itself states",
          .copy(facts, for: profile) ?? .encode(facts, for: profile), of: candidate,
          measured: "\(named(stated)) in the container, \(named(color)) in the video",
          limit: "the same in both", profile: profile)
      ]
    }
    if facts.chroma != "rgb", facts.codec == "h264", color.range == "pc" {
      return [
        finding(
          profile.wantsLimitedRange ? .error : .warning,
          "the colours use the full range: some players show other levels, or nothing",
          help: "export it in limited range", .encode(facts, for: profile), of: candidate,
          measured: "full range (pc)", limit: "limited range (tv)", profile: profile)
      ]
    }
    guard facts.chroma != "rgb", color.matrix == nil else { return [] }
    return [
      finding(
        .info,
        "the colour matrix is not stated: players assume \(title(facts.assumedMatrix)) from the picture size, and so does the preview",
        help:
          "state the matrix that it was made with; the repair states \(title(facts.assumedMatrix)), so the colours stay as people see them",
        .statedMatrix(facts, for: profile), of: candidate,
        otherwise: "state the matrix that it was made with", measured: "unspecified",
        limit: "a stated matrix", profile: profile)
    ]
  }

  /// The transfer function of an HDR video, with the profile of Dolby Vision above it.
  private static func light(_ facts: MediaFacts) -> String {
    let base = facts.color.transfer == "smpte2084" ? "PQ (smpte2084)" : "HLG (arib-std-b67)"
    return facts.dolbyVision.map { "Dolby Vision profile \($0) over \(base)" } ?? base
  }

  private static func named(_ color: ColorDescription) -> String {
    [color.matrix, color.primaries, color.transfer, color.range].compactMap(\.self).joined(
      separator: "/")
  }

  private static func title(_ matrix: String) -> String {
    ColorDescription.title(ofMatrix: matrix)
  }

  /// The stated colour property that fits neither BT.709 nor sRGB (IEC 61966-2-1), which share their primaries.
  private static func mismatch(in color: ColorDescription) -> String? {
    if color.isHDR { return color.transfer }
    if let primaries = color.primaries, primaries != "bt709" { return primaries }
    if let matrix = color.matrix, !["bt709", "gbr"].contains(matrix) { return matrix }
    return nil
  }
}
