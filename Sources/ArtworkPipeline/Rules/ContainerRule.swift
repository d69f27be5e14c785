/// AVFoundation opens MP4 and QuickTime movies; everything else is not a video asset to it.
enum ContainerRule: Rule {
  static let id = "container"
  static let title = "the container is MP4 or QuickTime"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let container = candidate.facts.container
    if ["mp4", "mov", "3gp"].contains(container) { return [] }
    return [
      finding(
        .error, "\(name(container)) is not a video asset that AVFoundation plays",
        help: "export it as an H.264 .mp4", measured: container, limit: "mp4 or mov",
        profile: profile)
    ]
  }

  private static func name(_ container: String) -> String {
    switch container {
    case "gif": "an animated GIF"
    case "apng": "an animated PNG"
    case "avif": "an AVIF image sequence"
    case "webm": "WebM"
    case "matroska": "Matroska"
    case "avi": "AVI"
    case "mpegts": "an MPEG transport stream"
    default: "a \(container) file"
    }
  }
}
