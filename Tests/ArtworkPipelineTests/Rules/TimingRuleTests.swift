@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct TimingRuleTests {
  @Test(arguments: [
    (0, false), (29.9, false), (29.97, false), (29.999, false), (29.9994, false), (29.9996, true), (30, true), (30.03, true),
    (30.1, true), (3600, true),
  ])
  func `exactly thirty seconds are too long`(seconds: Double, warns: Bool) {
    let raised = findings(DurationRule.self) { $0.durationSeconds = seconds }
    #expect(raised.map(\.severity) == (warns ? [.warning] : []))
  }

  @Test(arguments: [(0, false), (0.0009, false), (-0.0009, false), (0.0011, true), (-0.0011, true), (1, true)])
  func `a start more than a millisecond from zero is a warning`(seconds: Double, warns: Bool) {
    let raised = findings(StartOffsetRule.self) { $0.startSeconds = seconds }
    #expect(raised.map(\.severity) == (warns ? [.warning] : []))
  }

  @Test func `hidden frames are info if the start is right; otherwise only the start is reported`() {
    let raised = findings(StartOffsetRule.self) { $0.discardedFrameCount = 12 }
    #expect(raised.map(\.severity) == [.info])
    #expect(raised.first?.measured == "12 hidden")
    let late = findings(StartOffsetRule.self) { ($0.discardedFrameCount, $0.startSeconds) = (12, 1) }
    #expect(late.map(\.measured) == ["1 s"])
  }

  @Test func `a single frame and a clip without motion are static`() {
    let one = findings(StaticRule.self, seam: nil) { $0.frameCount = 1 }
    #expect(one.map(\.severity) == [.warning])
    #expect(one.first?.measured == "1 frame")
    let standing = SeamMeasurement.sample {
      $0.seamStep = 0
      ($0.motion.seam, $0.motion.usual, $0.motion.largest, $0.motion.inside) = (0, 0, 0, 0)
    }
    #expect(findings(StaticRule.self, seam: standing).first?.measured == "no change in 300 frames")
    #expect(findings(StaticRule.self).isEmpty)
  }

  @Test func `findings are sorted by severity, then in the order of the rules`() {
    let facts = MediaFacts.sample {
      ($0.hasAudio, $0.startSeconds, $0.durationSeconds) = (true, 1, 60)
      $0.setDisplay(1920, 1080)
      $0.setRate(120, 1)
      $0.color = ColorDescription()
    }
    let found = Rules.judge(.sample(facts: facts), key: .square, profile: .nowPlaying).findings
    #expect(found.map(\.rule) == ["aspect-ratio", "frame-rate", "duration", "start-offset", "color", "audio-track"])
    #expect(found.map(\.severity) == [.error, .error, .warning, .warning, .info, .info])
    #expect(found.allSatisfy { $0.profile == "now-playing" && !$0.message.isEmpty && !$0.help.isEmpty })
  }
}
