/// Apple prefers artwork shorter than 30 seconds.
enum DurationRule: Rule {
  static let id = "duration"

  static let settings = [
    RuleSetting("at-least", \.durationAtLeast, .number("s")),
    // Each takes the place of the other.
    RuleSetting("at-most", \.durationAtMost, .number("s")) { profile, _ in
      profile.durationBelow = nil
    },
    RuleSetting("below", \.durationBelow, .number("s")) { profile, _ in
      profile.durationAtMost = nil
    },
  ]

  /// Covers the rounding of time bases, in seconds.
  private static let rounding = 0.0005
  /// About one frame, in seconds: editors may cut one frame more or less than the required length.
  private static let frame = 0.05

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    contradiction(candidate, profile) + length(candidate, profile)
  }

  /// A header that states another length: some players and services believe it.
  private static func contradiction(_ candidate: JudgedCandidate, _ profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let stated = facts.contradictedSeconds else { return [] }
    return [
      finding(
        .warning, "its headers state another length than its frames have: services may refuse it",
        help: "write new headers", .copy(facts, for: profile) ?? .encode(facts, for: profile),
        of: candidate, otherwise: "export it again",
        measured: "\(decimal(stated, places: 3)) s in a header",
        limit: "\(decimal(facts.durationSeconds, places: 3)) s of frames", profile: profile)
    ]
  }

  private static func length(_ candidate: JudgedCandidate, _ profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let seconds = facts.durationSeconds
    func found(_ message: String, help: String, _ repair: Repair?, limit: String) -> [Finding] {
      [
        finding(
          .warning, message, help: help, repair, of: candidate, otherwise: "make it longer",
          measured: "\(decimal(seconds, places: 3)) s", limit: limit, profile: profile)
      ]
    }
    // Exactly 30 s is not shorter than 30 s.
    if let below = profile.durationBelow, seconds > below - rounding {
      let limit = decimal(below, places: 1)
      return found(
        "the clip is too long: it has to be shorter than \(limit) seconds",
        help: "cut it to a shorter loop", shorter(facts, below, profile),
        limit: "shorter than \(limit) s")
    }
    if let most = profile.durationAtMost, seconds > most + frame {
      let limit = decimal(most, places: 1)
      return found(
        "the clip is too long: the destination accepts at most \(limit) seconds",
        help: "cut it to a shorter loop", shorter(facts, most, profile), limit: "at most \(limit) s"
      )
    }
    if let least = profile.durationAtLeast, seconds < least - frame {
      let limit = decimal(least, places: 1)
      return found(
        "the clip is too short: the destination requires at least \(limit) seconds",
        help: "make it longer, or repeat the loop", repeated(facts, least, profile),
        limit: "at least \(limit) s")
    }
    return []
  }

  /// Lists the loops of an accepted length.
  private static func shorter(
    _ facts: MediaFacts, _ longest: Double, _ profile: Profile
  ) -> Repair {
    let shortest = profile.durationAtLeast.map { ["--shortest", decimal($0, places: 3)] } ?? []
    return .loop(
      facts, for: profile, ["--longest", decimal(longest, places: 3)] + shortest,
      ClipEdit.LoopSearch(
        shortest: profile.durationAtLeast ?? TrimRequest.usualShortest, below: longest))
  }

  /// Repeats the clip until it is long enough.
  private static func repeated(
    _ facts: MediaFacts, _ least: Double, _ profile: Profile
  ) -> Repair? {
    let seconds = facts.durationSeconds
    guard seconds > 0.01, facts.frameCount > 1,
      let times = wholeNumber(((least - frame) / seconds).rounded(.up)), times > 1
    else { return nil }
    let length = Double(times) * seconds
    if let most = profile.durationAtMost, length > most + frame { return nil }
    if let below = profile.durationBelow, length > below - rounding { return nil }
    return .encode(facts, for: profile, ClipEdit(passes: times))
  }
}
