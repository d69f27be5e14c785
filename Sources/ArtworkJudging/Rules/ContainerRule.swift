/// AVFoundation opens MP4 and QuickTime movies. Other containers are not video assets.
enum ContainerRule: Rule {
  static let id = "container"

  static let settings = [
    RuleSetting("only", \.containers, .words)
  ]

  static func breaches(_ candidate: JudgedCandidate, _ profile: Profile) -> [Breach] {
    [acceptance(candidate.facts, profile)].compactMap(\.self)
      + (profile.acceptsPicturesOnly ? [] : headerFaults(candidate.facts, profile))
  }

  /// What headers hide or state wrongly: FFmpeg and browsers pass over it, and Apple's players do not.
  private static func headerFaults(_ facts: MediaFacts, _ profile: Profile) -> [Breach] {
    let copy = Remedy.copyOrEncode(facts, for: profile)
    func fault(
      _ severity: Finding.Severity, _ message: String, help: String, _ repair: Remedy?,
      measured: String?, limit: String
    ) -> Breach? {
      measured.map {
        Breach(
          severity, message, help: help, repair, otherwise: "export it again", measured: $0,
          limit: limit)
      }
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

  private static func acceptance(_ facts: MediaFacts, _ profile: Profile) -> Breach? {
    let (container, name) = (facts.container, FileFormat.name(ofContainer: facts.container))
    if profile.containers.contains(container) { return nil }
    if profile.acceptsPicturesOnly {
      let format = profile.containers.first ?? "webp"
      return Breach(
        .error, "\(profile.player) does not show \(name) as a moving cover",
        help: "make an animated picture of it: `artworkd export FILE -o cover.\(format)`",
        measured: container, limit: profile.containers.listed("or"))
    }
    let isMovie = ["mp4", "mov", "3gp"].contains(container)
    let names = profile.containers.joined(separator: " or ")
    let copy = facts.codecIsAccepted(by: profile) ? Remedy.copy(facts, for: profile) : nil
    return Breach(
      .error,
      isMovie
        ? "\(container) is not accepted: the container must be \(names)"
        : "\(name) is not a video asset that \(profile.player) plays",
      help: facts.isAnimation
        ? "make a video from it"
        : copy != nil
          ? "copy it into another container, without encoding"
          : "export it as H.264 in an .mp4 file; encoding this file again costs some quality",
      copy ?? .encode(facts, for: profile), otherwise: "export it as H.264 in an .mp4 file",
      measured: container, limit: isMovie ? names : "mp4 or mov")
  }
}
