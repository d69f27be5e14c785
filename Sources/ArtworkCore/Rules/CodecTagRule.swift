/// HEVC has two sample entries, of which Apple systems play `hvc1` only. For H.264 it is `avc1`.
enum CodecTagRule: Rule {
  static let id = "codec-tag"
  static let title = "the sample entry is one that Apple systems play"
  static let explanation = Explanation(
    meaning: """
      The sample entry of an MP4 or QuickTime file says \(list { "\(played($1)) for \($0.title)" }). Any other: \
      \(list { "**\($1.otherSeverity.rawValue)** for \($0.title)" }). The parameter sets are in the header: **error** for \
      those that are among the frames only.
      """,
    why: """
      the tag says where the decoder's parameters are. With `hev1` they may be among the frames, and \
      Apple's players refuse such files. FFmpeg writes `hev1` by default: this is the most common reason that a \
      good export does not play.
      """,
    measured: """
      the four characters of the sample entry, and the parameter sets in its `avcC` or `hvcC` box.
      """,
    fix: """
      copy it with the tag `hvc1` (or `avc1`), without encoding: `artworkd repair` does. Parameter sets that are \
      all in the first frame move into the header on the way; others take `--unsafe`.
      """,
    source: """
      known.
      """)

  /// One text for each codec whose sample entry is judged.
  private static func list(
    _ text: (VideoCodec, VideoCodec.SampleEntries) -> String
  ) -> String {
    VideoCodec.all.compactMap { codec in codec.sampleEntries.map { text(codec, $0) } }
      .joined(separator: ", ")
  }

  private static func played(_ entries: VideoCodec.SampleEntries) -> String {
    entries.played.map { "`\($0)`" }.listed("or")
  }

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
        entries.otherSeverity,
        !entries.othersPlay
          ? "\(codec.title) tagged \(tag) does not play on Apple systems"
          : "\(codec.title) tagged \(tag) may not play everywhere",
        help: "copy it with the tag \(target), without encoding",
        .copy(facts, for: profile) ?? .encode(facts, for: profile), of: candidate, measured: tag,
        limit: target, profile: profile)
    ]
  }
}

extension VideoCodec.SampleEntries {
  /// How much any other sample entry matters.
  fileprivate var otherSeverity: Finding.Severity { othersPlay ? .warning : .error }
}
