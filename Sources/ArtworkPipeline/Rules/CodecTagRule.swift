/// HEVC has two sample entries; Apple systems play `hvc1` only. For H.264 it is `avc1`.
enum CodecTagRule: Rule {
  static let id = "codec-tag"
  static let title = "the sample entry is one that Apple systems play"

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
