/// Whether an animated picture repeats: one that stops after some plays is a still from then on.
enum PlayCountRule: Rule {
  static let id = "play-count"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let count = facts.playCount, facts.frameCount > 1,
      profile.containers.contains(facts.container)
    else { return [] }
    let format = FileFormat.animations.first { $0.container == facts.container }
    return [
      finding(
        .error, "the picture stops after \(count) play\(count == 1 ? "" : "s")",
        help: "make a copy that repeats without end, with the same pictures",
        format.map { .export($0.rawValue) }, of: candidate,
        otherwise: "export it with repetition", measured: "\(count)", limit: "without end",
        profile: profile)
    ]
  }
}
