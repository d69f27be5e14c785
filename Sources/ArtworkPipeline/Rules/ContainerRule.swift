/// AVFoundation opens MP4 and QuickTime movies. Nothing else is a video asset to it.
enum ContainerRule: Rule {
  static let id = "container"
  static let title = "the container is MP4 or QuickTime"
  static let explanation = Explanation(
    meaning: """
      The file is an MP4, QuickTime or 3GP movie; some destinations take fewer of these. **Error** for others.
      """,
    why: """
      animated artwork is a video asset that AVFoundation opens. It does not open Matroska, WebM, AVI, MPEG \
      transport streams, animated GIF, animated PNG and AVIF sequences, whatever their extension is.
      """,
    measured: """
      the demuxer that recognises the contents of the file, and the major brand of an ISO file. The extension \
      does not count.
      """,
    fix: """
      export it as an H.264 `.mp4`. If the codec is H.264 or HEVC already, a remux is enough: `ffmpeg -i \
      IN -c copy -an OUT.mp4`.
      """,
    source: """
      known (`AVFileType`).
      """)

  static let settings = [
    RuleSetting("only", "containers that are taken", .words(\.containers))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let container = candidate.facts.container
    if profile.containers.contains(container) { return [] }
    if ["mp4", "mov", "3gp"].contains(container) {
      let names = profile.containers.joined(separator: " or ")
      return [
        finding(
          .error, "\(container) is not taken: the container must be \(names)",
          help:
            "remux it without encoding: ffmpeg -i IN -c copy OUT.\(profile.containers.first ?? "mp4")",
          measured: container, limit: names, profile: profile)
      ]
    }
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
