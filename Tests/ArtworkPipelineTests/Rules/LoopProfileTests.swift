@Suite struct LoopProfileTests {
  private static func rules(_ profile: Profile, as key: ArtworkKey? = nil, _ change: (inout MediaFacts) -> Void) -> [String] {
    let inspection = Inspection.sample(facts: .sample(change))
    return CandidateReport(judging: inspection, of: nil, as: key, for: [profile]).findings.map(\.rule)
  }

  @Test(arguments: [(1920, 1080), (1080, 1920), (640, 200), (1080, 1080)])
  func `any shape is fine`(width: Int, height: Int) {
    for profile in [Profile.loop, .web] {
      #expect(Self.rules(profile) { $0.setDisplay(width, height) } == [], "\(profile.name)")
    }
  }

  @Test func `for web, a stated key needs its shape`() {
    #expect(Self.rules(.web, as: .tall) { $0.setDisplay(1920, 1080) } == ["aspect-ratio"])
    #expect(Self.rules(.loop, as: .tall) { $0.setDisplay(1920, 1080) } == [])
    #expect(Self.rules(.nowPlaying) { $0.setDisplay(1920, 1080) } == ["aspect-ratio"])
  }

  // What Chromium, Firefox and Safari play; ProRes and Matroska are for editors.
  @Test(arguments: [
    ("webm", "vp9", []), ("webm", "av1", []), ("mp4", "hevc", []), ("gif", "gif", []), ("mov", "prores", ["codec"]),
    ("matroska", "h264", ["container"]),
  ])
  func `what browsers play has no finding`(container: String, codec: String, expected: [String]) {
    let found = Self.rules(.loop) { ($0.container, $0.codec, $0.codecTag, $0.profile) = (container, codec, nil, nil) }
    #expect(found == expected)
  }

  @Test(
    "the score of a verdict lies in the quarter of its certainty",
    arguments: [
      (SeamJudgement.Verdict.seamless, 0.5..<0.75, 0.75..<1.01), (.static, 0.5..<0.75, 0.75..<1.01),
      (.jump, 0.25..<0.5, 0..<0.25), (.cut, 0.25..<0.5, 0..<0.25), (.reverse, 0.25..<0.5, 0.25..<0.5),
    ])
  func scores(verdict: SeamJudgement.Verdict, likely: Range<Double>, certain: Range<Double>) {
    for surprise in [nil, 0, 0.4, 1, 7, 1e9] {
      var judgement = SeamJudgement.sample(verdict)
      judgement.surprise = surprise
      #expect(certain.contains(judgement.loopScore))
      judgement.certainty = .likely
      #expect(likely.contains(judgement.loopScore) || judgement.loopScore == likely.upperBound)
    }
  }
}
