/// The codecs that play on every Apple system, those that play on some, and those that never do; see ``VideoCodec``.
enum CodecRule: Rule {
  static let id = "codec"

  static let settings = [
    RuleSetting("only", \.codecs, .words)
  ]

  private static let playedEverywhere = VideoCodec.all.filter { $0.playback == .everywhere }
    .map(\.title).listed("or")

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
