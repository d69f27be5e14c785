/// The codecs that play on every Apple system, those that play on some, and those that never do.
enum CodecRule: Rule {
  static let id = "codec"
  static let title = "the codec plays on Apple systems"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
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
}
