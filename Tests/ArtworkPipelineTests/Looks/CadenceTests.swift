@testable import ArtworkJudging
@testable import ArtworkMeasuring

/// Repeated frames in a pattern. The steps come from the definition of a conversion: the latest frame at each time.
@Suite struct CadenceTests {
  /// Steps of footage with a varying motion, and with the noise that coding leaves in repeated frames.
  static func steps(_ original: Int, in stored: Int, count: Int = 120, offset: Double = 0.37, noise: Double = 0.2) -> [Double?]
  {
    func frame(_ number: Int) -> Int { Int((Double(number) + offset) * Double(original) / Double(stored)) }
    func random(_ number: Int) -> Double {
      let value = sin(Double(number) * 12.9898) * 43758.5
      return value - value.rounded(.down)
    }
    return (0..<count).map { number in
      if number == 0 { return nil }
      let motion = 4 + 2.5 * sin(Double(number) / 9) + random(number)
      return frame(number) == frame(number - 1) ? noise * (1 + random(number)) : motion
    }
  }

  @Test(arguments: [(24, 30), (25, 30), (24, 60), (15, 60), (25, 60), (24, 50), (50, 60), (30, 60), (24, 48), (15, 24)])
  func `the original rate is found at any phase`(original: Int, stored: Int) throws {
    for offset in [0.01, 0.26, 0.53, 0.9] {
      let cadence = try #require(Cadence(Self.steps(original, in: stored, offset: offset), rate: Double(stored), least: 6))
      #expect(Rational(Int64(stored)).multiplied(by: cadence.share) == Rational(Int64(original)))
      #expect(cadence.isRegular && cadence.isPossible)
      // What is left out are the repeated frames, and no others.
      let repeated = Self.steps(original, in: stored, offset: offset).map { ($0 ?? 9) < 1 }
      #expect((1..<120).allSatisfy { cadence.isRepeat($0) == repeated[$0] })
    }
  }

  @Test func `slow motion hardly moves more than coding noise, and is found`() {
    let steps = Self.steps(24, in: 30, noise: 0.9).map { $0.map { $0 < 1.9 ? $0 : 2 + $0 / 3 } }
    #expect(Cadence(steps, rate: 30, least: 6)?.distinct == 4)
  }

  @Test func `other clips have no pattern`() {
    // Footage; drawings on twos; a still; one that stops twice; steps of a structure of B-frames.
    #expect(Cadence(Self.steps(30, in: 30), rate: 30, least: 6) == nil)
    #expect(Cadence(Self.steps(12, in: 24), rate: 24, least: 6) == nil)
    #expect(Cadence([Double?](repeating: 0.1, count: 120), rate: 30, least: 6) == nil)
    let rests = (0..<120).map { (20..<30).contains($0) || (70..<80).contains($0) ? 0.1 : 5 }
    #expect(Cadence(rests, rate: 30, least: 6) == nil)
    let coded = (0..<120).map { $0 % 4 == 0 ? 3.0 : 1.4 }
    #expect(Cadence(coded, rate: 60, least: 6) == nil)
  }

  @Test func `an end that is dissolved is reported, but no frames are left out by the pattern`() {
    var steps = Self.steps(24, in: 30)
    for number in 105..<120 { steps[number] = 3 }
    let cadence = Cadence(steps, rate: 30, least: 6)
    #expect(cadence?.period == 5 && cadence?.isRegular == false)
  }

  @Test func `uneven frames are a warning, and many equally long ones; a few are a remark`() {
    func severities(_ original: Int, _ stored: Int) -> [Finding.Severity] {
      LooksRuleTests.raised(JudderRule.self, rate: Int64(stored)) {
        $0.cadence = Cadence(Self.steps(original, in: stored), rate: Double(stored), least: 6)
      }.map(\.severity)
    }
    #expect(severities(24, 30) == [.warning])
    #expect(severities(15, 60) == [.warning])
    #expect(severities(30, 60) == [.info])
  }
}
