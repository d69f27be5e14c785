import ArtworkModel

/// Apple prefers artwork shorter than 30 seconds.
enum DurationRule: Rule {
  static let id = "duration"
  static let title = "the clip is as long as it should be"
  static let explanation = Explanation(
    meaning: """
      Shorter than 30 seconds in Now Playing (**warning**); as long as a delivery asks for (**error**).
      """,
    why: """
      Apple prefers short loops; there is no hard limit.
      """,
    measured: """
      from the first displayed frame to the end of the last; 30 s sharp is not shorter. Where a destination says \
      at least or at most, a twentieth of a second is allowed, which is a frame.
      """,
    fix: """
      cut it to a shorter loop.
      """,
    source: """
      Apple.
      """)

  static let settings = [
    RuleSetting(
      "at-least", "seconds that the clip must last", .limit(\.durationAtLeast, unit: "s")),
    RuleSetting(
      "at-most", "seconds that the clip may last", .limit(\.durationAtMost, unit: "s"),
      replacing: \Profile.durationBelow),
    RuleSetting(
      "below", "seconds that the clip must be shorter than", .limit(\.durationBelow, unit: "s"),
      replacing: \Profile.durationAtMost),
  ]

  /// Half a millisecond covers the rounding of time bases.
  private static let rounding = 0.0005
  /// Where a length is exact, a frame more or less is the cut of an editor, not another length.
  private static let frame = 0.05

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let seconds = candidate.facts.durationSeconds
    func found(_ message: String, help: String, limit: String) -> [Finding] {
      [
        finding(
          .warning, message, help: help, measured: "\(decimal(seconds, places: 3)) s",
          limit: limit, profile: profile)
      ]
    }
    // 30 s sharp is not shorter than 30 s.
    if let below = profile.durationBelow, seconds > below - rounding {
      let limit = decimal(below, places: 1)
      return found(
        "the clip is too long: it has to stay below \(limit) seconds",
        help: "cut it to a shorter loop", limit: "shorter than \(limit) s")
    }
    if let most = profile.durationAtMost, seconds > most + frame {
      let limit = decimal(most, places: 1)
      return found(
        "the clip is too long: at most \(limit) seconds are taken",
        help: "cut it to a shorter loop; `artworkd loop` finds one", limit: "at most \(limit) s")
    }
    if let least = profile.durationAtLeast, seconds < least - frame {
      let limit = decimal(least, places: 1)
      return found(
        "the clip is too short: at least \(limit) seconds are asked for",
        help: "make it longer, or repeat the loop: \(repeated(seconds, least, profile))",
        limit: "at least \(limit) s")
    }
    return []
  }

  /// A command that repeats the clip until it is long enough; `-stream_loop` counts the repeats.
  private static func repeated(_ seconds: Double, _ least: Double, _ profile: Profile) -> String {
    let times: Int = seconds > 0.01 ? wholeNumber((least / seconds).rounded(.up)) ?? 1 : 1
    return "ffmpeg -stream_loop \(max(1, times - 1)) -i IN -c copy OUT.mp4"
  }
}
