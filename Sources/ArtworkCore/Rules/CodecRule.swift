/// The codecs that play on every Apple system, those that play on some, and those that never do; see ``VideoCodec``.
enum CodecRule: Rule {
  static let id = "codec"
  static let title = "the codec plays on Apple systems"
  static let explanation = Explanation(
    meaning: """
      The video is \(playedEverywhere). **Warning** for \(titles { $0 != .everywhere && $0 != .nowhere }). \
      **Error** for \(titles { $0 == .nowhere }), and for every codec that is not named here. Destinations that \
      list their codecs accept only those: **error** for all others.
      """,
    why: """
      H.264 and HEVC play on every system that shows animated artwork. ProRes plays, but needs hundreds of \
      megabits per second. AV1 plays on devices with a hardware decoder. The old codecs play in some \
      places. VP8, VP9 and the rest do not play.
      """,
    measured: """
      the codec of the first video track that holds frames. Attached pictures are not video.
      """,
    fix: """
      export it as H.264 or HEVC. `artworkd repair --unsafe` encodes this file.
      """,
    source: """
      Apple for H.264 and HEVC (HLS Authoring Specification, video encoding requirements); known for the \
      rest.
      """)

  static let settings = [
    RuleSetting(
      "only",
      "accepted codecs, by their FFmpeg names; `prores-4444`, `prores-hq`, `prores-standard` or `prores-lt` for that profile only",

      .wordsLimit(\.codecs))
  ]

  private static let playedEverywhere = VideoCodec.all.filter { $0.playback == .everywhere }
    .map(\.title).listed("or")

  private static func titles(_ isMeant: (VideoCodec.Playback) -> Bool) -> String {
    VideoCodec.all.filter { isMeant($0.playback) }.map(\.title).listed("and")
  }

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    if let codecs = profile.codecs {
      return refusal(candidate, codecs: codecs, profile: profile)
    }
    let codec = candidate.facts.codec
    let title = VideoCodec.title(of: codec)
    switch VideoCodec.named(codec)?.playback ?? .nowhere {
    case .everywhere: return []
    case .somewhere(let reason, let help):
      return [
        finding(
          .warning, "\(title) \(reason)", help: help,
          .encode(candidate.facts, for: profile), of: candidate, measured: codec,
          limit: playedEverywhere, profile: profile)
      ]
    case .nowhere:
      return [
        finding(
          .error, "\(profile.player) does not play \(title)",
          help: "export it as \(playedEverywhere)",
          .encode(candidate.facts, for: profile), of: candidate, measured: codec,
          limit: playedEverywhere, profile: profile)
      ]
    }
  }

  /// Returns the finding of a destination that accepts some codecs only.
  private static func refusal(
    _ candidate: JudgedCandidate, codecs: [String], profile: Profile
  ) -> [Finding] {
    let facts = candidate.facts
    if facts.codecIsAccepted(by: profile) { return [] }
    let names = codecs.map(title).listed("or")
    return [
      finding(
        .error, "only \(names) \(codecs.count == 1 ? "is" : "are") accepted",
        help: "export it as \(codecs.first.map(title) ?? "another codec")",
        .encode(facts, for: profile), of: candidate, measured: facts.codecVariant ?? facts.codec,
        limit: names, profile: profile)
    ]
  }

  /// Returns the title of a codec or of one of its profiles, for example `ProRes 4444`.
  private static func title(_ name: String) -> String {
    let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
    return parts.count == 2
      ? VideoCodec.title(of: parts[0], profile: parts[1]) : VideoCodec.title(of: name)
  }
}

extension MediaFacts {
  /// The codec with its profile, for example `prores-4444`.
  fileprivate var codecVariant: String? { profile.map { "\(codec)-\($0.lowercased())" } }

  /// Whether the destination accepts the codec, or does not restrict codecs.
  func codecIsAccepted(by profile: Profile) -> Bool {
    guard let codecs = profile.codecs else {
      return (VideoCodec.named(codec)?.playback ?? .nowhere) != .nowhere
    }
    return codecs.contains(codec) || codecs.contains { $0 == codecVariant }
  }
}
