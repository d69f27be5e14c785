/// AVFoundation opens MP4 and QuickTime movies. Other containers are not video assets.
enum ContainerRule: Rule {
  static let id = "container"

  static let settings = [
    RuleSetting("only", \.containers, .words)
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    acceptance(candidate, profile)
      + (profile.acceptsPicturesOnly ? [] : headerFaults(candidate, profile))
  }

  /// What headers hide or state wrongly: FFmpeg and browsers pass over it, and Apple's players do not.
  private static func headerFaults(
    _ candidate: JudgedCandidate, _ profile: Profile
  ) -> [Finding] {
    let facts = candidate.facts
    let copy = Repair.copy(facts, for: profile) ?? .encode(facts, for: profile)
    func fault(
      _ severity: Finding.Severity, _ message: String, help: String, _ repair: Repair?,
      measured: String?, limit: String
    ) -> Finding? {
      guard let measured else { return nil }
      return finding(
        severity, message, help: help, repair, of: candidate, otherwise: "export it again",
        measured: measured, limit: limit, profile: profile)
    }
    return [
      fault(
        .error, "the video track is not enabled, so Apple's players show nothing",
        help: "copy it, which enables the track", copy,
        measured: facts.isDisabled.map { _ in "track not enabled" }, limit: "an enabled track"),
      fault(
        .error,
        "the picture size or the parameter sets change in the middle: decoders that take them from the header fail",
        help: "encode it again, at one size", .encode(facts, for: profile),
        measured: facts.changesAtFrame.map { "a change at frame \($0)" },
        limit: "one size, and one set of parameters"),
      fault(
        .warning, "the header states another size than the pictures have: some players follow it",
        help: "write a new header", copy,
        measured: facts.contradictedSize.map { "\($0) in the header" },
        limit: "\(facts.codedWidth)x\(facts.codedHeight) as in the video"),
      fault(
        .info,
        "the header turns the picture by an odd angle, or scales it to nothing: players differ",
        help: "export it upright", nil,
        measured: facts.isOddlyTurned.map { _ in "an odd display matrix" },
        limit: "quarter turns"),
    ].compactMap(\.self)
  }

  private static func acceptance(
    _ candidate: JudgedCandidate, _ profile: Profile
  ) -> [Finding] {
    let container = candidate.facts.container
    if profile.containers.contains(container) { return [] }
    if profile.acceptsPicturesOnly { return [pictured(candidate, profile)] }
    if ["mp4", "mov", "3gp"].contains(container) {
      let names = profile.containers.joined(separator: " or ")
      return [
        repaired(
          candidate, "\(container) is not accepted: the container must be \(names)", limit: names,
          profile)
      ]
    }
    return [
      repaired(
        candidate, "\(name(container)) is not a video asset that \(profile.player) plays",
        limit: "mp4 or mov", profile)
    ]
  }

  /// A finding for destinations that take animated pictures only.
  private static func pictured(_ candidate: JudgedCandidate, _ profile: Profile) -> Finding {
    let container = candidate.facts.container
    let format = profile.containers.first ?? "webp"
    return finding(
      .error, "\(profile.player) does not show \(name(container)) as a moving cover",
      help: "make an animated picture of it: `artworkd export FILE -o cover.\(format)`",
      measured: container, limit: profile.containers.listed("or"), profile: profile)
  }

  private static func repaired(
    _ candidate: JudgedCandidate, _ message: String, limit: String, _ profile: Profile
  ) -> Finding {
    let facts = candidate.facts
    let copy = facts.codecIsAccepted(by: profile) ? Repair.copy(facts, for: profile) : nil
    return finding(
      .error, message,
      help: facts.isAnimation
        ? "make a video from it"
        : copy != nil
          ? "copy it into another container, without encoding"
          : "export it as H.264 in an .mp4 file; encoding this file again costs some quality",
      copy ?? .encode(facts, for: profile), of: candidate,
      otherwise: "export it as H.264 in an .mp4 file",
      measured: facts.container, limit: limit, profile: profile)
  }

  private static func name(_ container: String) -> String {
    switch container {
    case "mp4": "an MP4 movie"
    case "mov": "a QuickTime movie"
    case "3gp": "a 3GP movie"
    case "gif": "an animated GIF"
    case "apng": "an animated PNG"
    case "webp": "an animated WebP"
    case "avif": "an AVIF image sequence"
    case "webm": "WebM"
    case "matroska": "Matroska"
    case "avi": "AVI"
    case "lottie": "a Lottie animation"
    case "dotlottie": "a dotLottie archive"
    case "tgs": "a Telegram sticker"
    case "mpegts": "an MPEG transport stream"
    default: "a \(container) file"
    }
  }
}
