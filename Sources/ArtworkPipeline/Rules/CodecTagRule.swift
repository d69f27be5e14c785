/// HEVC has two sample entries; Apple systems play `hvc1` only. For H.264 it is `avc1`.
enum CodecTagRule: Rule {
  static let id = "codec-tag"
  static let title = "the sample entry is one that Apple systems play"
  static let explanation = Explanation(
    meaning: """
      The sample entry of an MP4 or QuickTime file is `hvc1` (or `dvh1`) for HEVC, `avc1` (or `dva1`) for \
      H.264. **Error** for HEVC, **warning** for H.264.
      """,
    why: """
      the tag says where the decoder's parameters are. With `hev1` they may be among the frames, and \
      Apple's players refuse such files. FFmpeg writes `hev1` unless told otherwise, which makes this the \
      commonest reason why a good export does not play.
      """,
    measured: """
      the four characters of the sample entry.
      """,
    fix: """
      `ffmpeg -i IN -c copy -tag:v hvc1 OUT.mp4` (or `avc1`).
      """,
    source: """
      known.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard ["mp4", "mov", "3gp"].contains(facts.container), let tag = facts.codecTag else {
      return []
    }
    switch (facts.codec, tag) {
    case ("hevc", "hvc1"), ("hevc", "dvh1"), ("h264", "avc1"), ("h264", "dva1"): return []
    case ("hevc", _):
      return [
        finding(
          .error, "HEVC tagged \(tag) does not play on Apple systems",
          help: "remux it without encoding: ffmpeg -i IN -c copy -tag:v hvc1 OUT.mp4",
          measured: tag, limit: "hvc1", profile: profile)
      ]
    case ("h264", _):
      return [
        finding(
          .warning, "H.264 tagged \(tag) may not play everywhere",
          help: "remux it without encoding: ffmpeg -i IN -c copy -tag:v avc1 OUT.mp4",
          measured: tag, limit: "avc1", profile: profile)
      ]
    default: return []
    }
  }
}
