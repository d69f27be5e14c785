@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkPipeline

/// Verdicts of made-up measurements, at and around the thresholds.
@Suite struct LoopSeamRuleTests {
  static let limits = Profile.nowPlaying.seam

  static func judge(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement {
    LoopSeamRule.judge(.sample(change), thresholds: limits)
  }

  /// Each line of the file is a change of the sample, as a merge patch, and what is made of it.
  @Test func `each measurement has the verdict, the certainty and the sentence that are on file`() throws {
    let file = Checkout.root.appendingPathComponent("Tests/Fixtures/seam-verdicts.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let sample = try JSONReader.read(Array(JSONEncoder().encode(SeamMeasurement.sample { $0.surprise(0.9) })))
    let text = try lines.map { line in
      guard line.hasPrefix("{") else { return "\(line)\n" }
      let patch = line.components(separatedBy: " => ")[0]
      let change = try JSONReader.read(Array(patch.utf8))
      let seam = try JSONDecoder().decode(SeamMeasurement.self, from: Data(sample.merging(change).bytes))
      let judged = LoopSeamRule.judge(seam, thresholds: Self.limits)
      let missing = judged.missingFrames.map { ", \($0) missing" } ?? ""
      let score = judged.surprise.map { ", jump score \(decimal($0, places: 3))" } ?? ""
      return "\(patch) => \(judged.verdict.rawValue), \(judged.certainty), change"
        + " \(decimal(judged.score, places: 3))\(score)\(missing): \(judged.sentence)\n"
    }
    try Recorded.expect(text.joined(), in: file)
  }

  /// What `artworkd check` measured of files whose seams a person looked at; the heading says what is right.
  @Test func `measured seams have the verdict that a person gave them`() throws {
    let file = Checkout.root.appendingPathComponent("Tests/Fixtures/seam-verdicts.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let pairs = zip(lines, lines.dropFirst()).filter { $0.0.hasPrefix("# Measured, ") }
    #expect(pairs.count >= 20)
    for (heading, line) in pairs {
      let right = heading.dropFirst("# Measured, ".count).prefix { $0 != ":" }
      #expect(line.contains(" => \(right), "), "\(heading)")
    }
  }

  @Test func `a jump score above 1 is a jump, one below is none`() {
    for surprise in stride(from: 0.8, through: 2.4, by: 0.1) {
      for small in stride(from: 0.8, through: 2.4, by: 0.2) {
        for hold in [1, 2] {
          let judged = Self.judge {
            $0.hold = hold
            $0.surprise(surprise, small: small)
          }
          #expect((judged.surprise ?? 0 > 1) == (judged.verdict == .jump), "\(surprise), \(small), \(hold)")
        }
      }
    }
  }

  @Test func `motion does not explain a surprising step of more than 2.5 times the usual one`() {
    for (step, verdict) in [(9.0, SeamJudgement.Verdict.seamless), (11, .jump)] {
      let judged = Self.judge {
        $0.surprise(1.3, excess: 1.1)
        $0.seamStep = step
      }
      #expect(judged.verdict == verdict && judged.certainty == .likely, "\(step)")
    }
    #expect(Self.judge { $0.seamStep = 11 }.verdict == .seamless, "nothing surprises")
  }

  @Test(arguments: [0, 1e-300, 1, 255, 1e300])
  func `every measurement has a verdict and a sentence`(number: Double) {
    for scope in [SeamMeasurement.Scope.ends, .everyFrame] {
      for empties in [true, false] {
        let judged = Self.judge {
          $0.scope = scope
          ($0.seamStep, $0.ownStep) = (number, number)
          $0.motion = .init(seam: number, usual: number, live: number, largest: number, inside: number)
          $0.levels.luma.shift = number
          $0.sharpness.rise = min(number, 700)
          $0.surprise(number, small: number)
          if empties {
            ($0.headSteps, $0.tailSteps, $0.headContrast, $0.tailContrast) = ([], [], [], [])
            ($0.headLuma, $0.tailLuma, $0.prediction, $0.timeline) = ([], [], nil, nil)
          }
        }
        #expect(judged.score.isFinite && !judged.sentence.isEmpty)
        #expect(ReplyValidation.holds(for: judged))
      }
    }
  }

  @Test func `severities of the verdicts: errors are what everybody sees`() {
    func severities(_ change: (inout SeamMeasurement) -> Void) -> [Finding.Severity] {
      findings(LoopSeamRule.self, seam: .sample(change)).map(\.severity)
    }
    #expect(severities { _ in }.isEmpty)
    #expect(severities { $0.surprise(1.49) } == [.warning])
    #expect(severities { $0.surprise(1.51) } == [.error])
    #expect(severities { $0.repeats.replayed = 2 } == [.error])
    #expect(severities { $0.content = .init(unexplained: 1, alike: 0, likeness: 0, colours: 99) } == [.error])
    #expect(
      severities {
        $0.repeats.repeatElsewhere = false
        ($0.repeats.stepRatio, $0.repeats.straightness) = (0, 1)
      } == [.warning])
    #expect(severities { $0.sharpness = .init(rise: 1, usualRise: 0) } == [.warning])
    #expect(severities { $0.timeline = .init(gap: 1, gapMisfit: 0.5, loopMisfit: 0.9, mirrorMisfit: 0.01) } == [.info])
    #expect(findings(LoopSeamRule.self, seam: nil).isEmpty)
    #expect(findings(LoopSeamRule.self, seam: .sample { $0.surprise(9) }, missing: 1).isEmpty)
    // The finding contains the measured values.
    let finding = findings(LoopSeamRule.self, seam: .sample { $0.surprise(2.8) }).first
    #expect(finding?.measured == "change at the loop point 4; usual nearby 4; jump score 2.3")
    #expect(finding?.limit == "jump score 1.0")
  }
}
