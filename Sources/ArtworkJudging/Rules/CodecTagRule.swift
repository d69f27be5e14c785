/// HEVC has two sample entries, of which Apple systems play `hvc1` only. For H.264 it is `avc1`.
enum CodecTagRule: Rule {
  static let id = "codec-tag"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard ["mp4", "mov", "3gp"].contains(facts.container), let tag = facts.codecTag,
      let codec = VideoCodec.named(facts.codec), let entries = codec.sampleEntries,
      let target = entries.played.first
    else { return [] }
    if facts.parameterSets == .frames {
      return [
        finding(
          .error,
          "\(codec.title) tagged \(tag) has its parameter sets among its frames only, and does not play "
            + "on Apple systems",
          help: "move them into the header, without encoding",
          .copy(facts, for: profile) ?? .encode(facts, for: profile), of: candidate,
          otherwise: "export it again with the tag \(target)",
          measured: "parameter sets among the frames",
          limit: "parameter sets in the header", profile: profile)
      ]
    }
    guard !entries.played.contains(tag) else { return [] }
    return [
      finding(
        entries.othersPlay ? .warning : .error,
        "\(codec.title) tagged \(tag) "
          + (entries.othersPlay ? "may not play everywhere" : "does not play on Apple systems"),
        help: "copy it with the tag \(target), without encoding",
        .copy(facts, for: profile) ?? .encode(facts, for: profile), of: candidate, measured: tag,
        limit: target, profile: profile)
    ]
  }
}
