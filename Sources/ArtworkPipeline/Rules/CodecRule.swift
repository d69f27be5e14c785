/// The codecs that play on every Apple system, those that play on some, and those that never do.
enum CodecRule: Rule {
  static let id = "codec"
  static let title = "the codec plays on Apple systems"
  static let explanation = Explanation(
    meaning: """
      The video is H.264 or HEVC. **Warning** for ProRes, AV1, MPEG-4 part 2, Motion JPEG and H.263; **error** \
      for every other codec. Destinations that name their codecs take these only: **error** for all others.
      """,
    why: """
      H.264 and HEVC play on every system that shows animated artwork. ProRes plays, but takes hundreds of \
      megabits a second. AV1 plays where there is a hardware decoder. The old codecs play in some places. \
      VP8, VP9 and the rest do not.
      """,
    measured: """
      the codec of the first video track that holds frames. Attached pictures are no video.
      """,
    fix: """
      export it as H.264 or HEVC.
      """,
    source: """
      Apple for H.264 and HEVC (HLS Authoring Specification, video encoding requirements); known for the \
      rest.
      """)

  static let settings = [
    RuleSetting(
      "only", "codecs that are taken, by FFmpeg's names; `prores-4444` for that profile only",
      .wordsLimit(\.codecs))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    if let codecs = profile.codecs {
      return refusal(candidate.facts, codecs: codecs, profile: profile)
    }
    let codec = candidate.facts.codec
    let limit = "H.264 or HEVC"
    switch codec {
    case "h264", "hevc": return []
    case "prores":
      return [
        finding(
          .warning, "ProRes plays, but is heavy: hundreds of megabits a second",
          help: "deliver ProRes, but publish an H.264 or HEVC version",
          measured: "prores", limit: limit, profile: profile)
      ]
    case "av1":
      return [
        finding(
          .warning, "AV1 plays only on devices with a hardware decoder",
          help: "export it as H.264 or HEVC", measured: "av1", limit: limit, profile: profile)
      ]
    case "mpeg4", "mjpeg", "h263":
      return [
        finding(
          .warning, "\(codecTitle(codec)) is an old codec that not every Apple system plays",
          help: "export it as H.264", measured: codec, limit: limit, profile: profile)
      ]
    default:
      return [
        finding(
          .error, "AVFoundation does not play \(codecTitle(codec))",
          help: "export it as H.264 or HEVC", measured: codec, limit: limit, profile: profile)
      ]
    }
  }

  /// For destinations that take some codecs only.
  private static func refusal(
    _ facts: MediaFacts, codecs: [String], profile: Profile
  ) -> [Finding] {
    let variant = facts.profile.map { "\(facts.codec)-\($0.lowercased())" }
    guard !codecs.contains(facts.codec), !codecs.contains(where: { $0 == variant }) else {
      return []
    }
    let names = codecs.map(title).joined(separator: " or ")
    return [
      finding(
        .error, "only \(names) \(codecs.count == 1 ? "is" : "are") taken",
        help: "export it as \(codecs.first.map(title) ?? "another codec")",
        measured: variant ?? facts.codec, limit: names, profile: profile)
    ]
  }

  /// Of a codec or of one of its profiles, for example `ProRes 4444`.
  private static func title(_ name: String) -> String {
    let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
    return ([codecTitle(parts[0])] + parts.dropFirst()).joined(separator: " ")
  }
}
