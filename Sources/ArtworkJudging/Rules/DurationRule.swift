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

  static func breaches(_ candidate: JudgedCandidate, _ profile: Profile) -> [Breach] {
    [contradiction(candidate.facts, profile), length(candidate.facts, profile)].compactMap(\.self)
  }

  /// A header that states another length: some players and services believe it.
  private static func contradiction(_ facts: MediaFacts, _ profile: Profile) -> Breach? {
    facts.contradictedSeconds.map { stated in
      Breach(
        .warning, "its headers state another length than its frames have: services may refuse it",
        help: "write new headers", .copyOrEncode(facts, for: profile), otherwise: "export it again",
        measured: "\(decimal(stated, places: 3)) s in a header",
        limit: "\(decimal(facts.durationSeconds, places: 3)) s of frames")
    }
  }

  private static func length(_ facts: MediaFacts, _ profile: Profile) -> Breach? {
    let seconds = facts.durationSeconds
    func breach(
      _ what: String, _ verb: String, _ limit: String, help: String, _ repair: Remedy?
    ) -> Breach {
      Breach(
        .warning, "the clip is too \(what): \(verb) \(limit) seconds", help: help, repair,
        otherwise: "make it longer", measured: "\(decimal(seconds, places: 3)) s",
        limit: "\(limit) s")
    }
    // Exactly 30 s is not shorter than 30 s.
    if let below = profile.durationBelow, seconds > below - rounding {
      return breach(
        "long", "it has to be", "shorter than \(decimal(below, places: 1))",
        help: "cut it to a shorter loop", shorter(facts, below, profile))
    }
    if let most = profile.durationAtMost, seconds > most + frame {
      return breach(
        "long", "the destination accepts", "at most \(decimal(most, places: 1))",
        help: "cut it to a shorter loop", shorter(facts, most, profile))
    }
    if let least = profile.durationAtLeast, seconds < least - frame {
      return breach(
        "short", "the destination requires", "at least \(decimal(least, places: 1))",
        help: "make it longer, or repeat the loop", repeated(facts, least, profile))
    }
    return nil
  }

  /// Lists the loops of an accepted length.
  private static func shorter(
    _ facts: MediaFacts, _ longest: Double, _ profile: Profile
  ) -> Remedy {
    let shortest = profile.durationAtLeast.map { ["--shortest", decimal($0, places: 3)] } ?? []
    return .loop(
      facts, for: profile, ["--longest", decimal(longest, places: 3)] + shortest,
      ClipEdit.LoopSearch(
        shortest: profile.durationAtLeast ?? TrimRequest.usualShortest, below: longest))
  }

  /// Repeats the clip until it is long enough.
  private static func repeated(
    _ facts: MediaFacts, _ least: Double, _ profile: Profile
  ) -> Remedy? {
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
