@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct LoopGapRuleTests {
  /// 48 frames at 24 a second.
  static func severities(_ rule: any Rule.Type = LoopGapRule.self, _ change: (inout MediaFacts) -> Void) -> [Finding.Severity] {
    findings(rule) {
      ($0.frameCount, $0.durationSeconds, $0.startSeconds) = (48, 2, 0)
      ($0.frameRate, $0.minFrameRate, $0.maxFrameRate) = (24, 24, 24)
      $0.lastFrameSeconds = 1 / 24
      change(&$0)
    }.map(\.severity)
  }

  @Test(
    "sound that outlasts the last frame by a frame and a bit is a remark, by more a warning, from a tenth of a second an error")
  func sound() {
    func severities(_ end: Double, _ rule: any Rule.Type = LoopGapRule.self) -> [Finding.Severity] {
      Self.severities(rule) {
        $0.hasAudio = true
        $0.tracks = [
          TrackSpan(kind: .video, endSeconds: 2, mediaSeconds: 2), TrackSpan(kind: .audio, endSeconds: end, mediaSeconds: end),
        ]
        $0.movieSeconds = end
      }
    }
    #expect(severities(2.04).isEmpty, "within a frame")
    #expect(severities(2.05) == [.info] && severities(2.08) == [.info])
    #expect(severities(2.085) == [.warning])
    #expect(severities(2.11) == [.error])
    #expect(severities(1.5).isEmpty)
    #expect(severities(2.04, AudioTrackRule.self) == [.info])
    #expect(severities(2.05, AudioTrackRule.self) == [.warning])
  }

  @Test func `the limit is a frame at low rates, and 40 ms at high ones`() {
    func severities(_ rate: Double, gap: Double) -> [Finding.Severity] {
      Self.severities {
        ($0.frameRate, $0.minFrameRate) = (rate, rate)
        $0.lastFrameSeconds = 1 / rate
        $0.movieSeconds = 2 + gap
      }
    }
    #expect(severities(5, gap: 0.19).isEmpty && severities(5, gap: 0.21) == [.error])
    #expect(severities(60, gap: 0.038).isEmpty && severities(60, gap: 0.045) == [.info])
    #expect(severities(60, gap: 0.06) == [.warning])
  }

  @Test func `a last frame that is held longer than any other is a gap, unless the file is an animated image`() {
    #expect(Self.severities { $0.lastFrameSeconds = 0.5 } == [.error])
    #expect(Self.severities { ($0.lastFrameSeconds, $0.minFrameRate) = (0.5, 2) }.isEmpty, "a slide show")
    #expect(Self.severities { ($0.lastFrameSeconds, $0.container) = (0.5, "gif") }.isEmpty)
  }

  @Test func `a clip that starts late is measured from there`() {
    #expect(Self.severities { ($0.startSeconds, $0.movieSeconds) = (0.5, 2.5) }.isEmpty)
  }
}
