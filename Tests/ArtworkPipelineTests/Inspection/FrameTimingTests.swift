@testable import ArtworkMedia

@Suite struct FrameTimingTests {
  static func timing(
    _ timestamps: [Int64], timeBase: (Int64, Int64), last: Int64 = 0, declared: Int64? = nil, longestHold: Double = 0
  ) throws -> FrameTiming {
    FrameTiming(
      timestamps: timestamps, timeBase: try #require(Rational(timeBase.0, timeBase.1)), lastDuration: last,
      declaredDuration: declared, longestHold: longestHold)
  }

  /// Frame times of a constant rate, each rounded to the nearest tick of the time base.
  static func even(_ rate: (Int64, Int64), count: Int, timeBase: (Int64, Int64)) -> [Int64] {
    (0..<count).map { frame in
      let ticks = Double(frame) * Double(rate.1) / Double(rate.0) * Double(timeBase.1) / Double(timeBase.0)
      return Int64(ticks.rounded())
    }
  }

  static let rates: [(Int64, Int64)] = [
    (12, 1), (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1), (120, 1),
  ]

  @Test(arguments: rates + [(61, 1), (60001, 1000), (7, 3)])
  func `a rate that the time base can express is reported exactly`(rate: (Int64, Int64)) throws {
    let timestamps = (0..<48).map { Int64($0) * rate.1 }
    let timing = try Self.timing(timestamps, timeBase: (1, rate.0), last: rate.1)
    #expect(timing.mode == .constant)
    #expect(timing.rate == Rational(rate.0, rate.1))
    expectNear(timing.durationSeconds, Double(48 * rate.1) / Double(rate.0))
    expectNear(timing.startSeconds, 0)
    #expect(timing.medianStep == rate.1)
  }

  @Test(arguments: [61, 59, 26, 62] as [Int64])
  func `a rate is not drawn to a standard one by a time base made for it`(rate: Int64) throws {
    // AVI counts frames: every step is one tick.
    #expect(try Self.timing((0..<24).map { $0 }, timeBase: (1, rate), last: 1).rate == Rational(rate))
  }

  @Test(arguments: [(42, (24000, 1001)), (33, (30, 1)), (17, (60000, 1001)), (40, (25, 1))] as [(Int64, (Int64, Int64))])
  func `two frames in whole milliseconds are enough for the nearest standard rate`(step: Int64, rate: (Int64, Int64)) throws {
    #expect(try Self.timing([0, step], timeBase: (1, 1000)).rate == Rational(rate.0, rate.1))
  }

  @Test(
    "standard rates are recognised in rounded times", arguments: rates,
    [(1, 1000), (1, 90000), (1, 600), (1, 12800)] as [(Int64, Int64)])
  func rounded(rate: (Int64, Int64), timeBase: (Int64, Int64)) throws {
    let timestamps = Self.even(rate, count: 100, timeBase: timeBase)
    let timing = try Self.timing(timestamps, timeBase: timeBase)
    #expect(timing.mode == .constant)
    #expect(timing.rate == Rational(rate.0, rate.1))
  }

  @Test(arguments: [(60, 1500), (30, 3000)] as [(Int64, Int64)])
  func `a phone's jitter about 60 is 60, about 30 is 30`(rate: Int64, step: Int64) throws {
    var noise = Noise(seed: 3)
    // Every time up to 2 % of a step off its place, in 1/90000 s.
    let timestamps = (0..<90).map { frame in Int64(frame) * step + Int64(noise.next() >> 33) % (step / 50) - step / 100 }
    #expect(Set(zip(timestamps, timestamps.dropFirst()).map { $1 - $0 }).count > 10)
    let timing = try Self.timing(timestamps, timeBase: (1, 90000))
    #expect(timing.mode == .constant)
    #expect(timing.rate == Rational(rate))
    let highest = try #require(timing.highestRate)
    #expect(highest > Double(rate) && highest < Double(rate) * 1.05)
  }

  @Test func `jitter about a rate nobody uses keeps the mean`() throws {
    // 66 or 67 ticks and once 68 of 1/2700 s: about 40.6 a second.
    let steps: [Int64] = [66, 67, 66, 67, 66, 68, 66, 67, 66]
    let timestamps = steps.reduce(into: [Int64(0)]) { $0.append($0[$0.count - 1] + $1) }
    let timing = try Self.timing(timestamps, timeBase: (1, 2700))
    #expect(timing.mode == .constant)
    #expect(timing.rate == Rational(2700 * 9, steps.reduce(0, +)))
  }

  @Test(
    arguments: [
      // 24 frames of 1000 ticks.
      (24000, 24000), (23500, 23500), (24800, 24800), (25000, 25000), (23000, 23000), (25001, 24000), (22999, 24000),
      (1, 24000), (4_000_000_000, 24000),
    ] as [(Int64, Int64)])
  func `the container's duration counts where it differs by less than a frame`(declared: Int64, used: Int64) throws {
    let timestamps = (0..<24).map { Int64($0) * 1000 }
    let timing = try Self.timing(timestamps, timeBase: (1, 24000), last: 1000, declared: declared)
    expectNear(timing.durationSeconds, Double(used) / 24000)
  }

  @Test(arguments: [-90000, -1, 90, 4_294_967_296] as [Int64])
  func `a clip may start at any time, before zero too`(offset: Int64) throws {
    let timestamps = (0..<30).map { offset + Int64($0) * 3003 }
    let timing = try Self.timing(timestamps, timeBase: (1, 90000), last: 3003)
    #expect(timing.rate == Rational(30000, 1001))
    expectNear(timing.startSeconds, Double(offset) / 90000)
    expectNear(timing.durationSeconds, 1.001)
  }

  /// A table of times, and what is made of it.
  struct Odd: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var times: [Int64]
    /// Ticks of a second.
    var base: Int64
    var last: Int64 = 0
    var declared: Int64?
    var mode = FrameRateMode.constant
    var rate: Rational?
    var seconds: Double
    /// The highest, and the lowest one where it is another.
    var extremes: [Double] = []
    var median: Int64
  }

  @Test(arguments: [
    Odd(
      testDescription: "uneven steps have their mean and their extremes", times: [0, 50, 75, 115, 140, 190], base: 600,
      last: 25, mode: .variable, rate: Rational(6 * 600, 215), seconds: 215.0 / 600, extremes: [24, 12], median: 40),
    Odd(
      testDescription: "one frame is dropped", times: even((24, 1), count: 25, timeBase: (1, 12288)).filter { $0 != 6144 },
      base: 12288, last: 512, mode: .variable, rate: Rational(24 * 24, 25), seconds: 25.0 / 24, extremes: [24, 12], median: 512),
    Odd(
      testDescription: "a step of zero makes no rate infinite", times: [0, 40, 40, 80, 120], base: 1000, last: 40,
      mode: .variable, rate: Rational(125, 4), seconds: 0.16, extremes: [25, 25], median: 40),
    Odd(
      testDescription: "a single frame has the rate of its own duration", times: [100], base: 1000, last: 40,
      rate: Rational(25), seconds: 0.04, median: 0),
    Odd(testDescription: "a single frame without a duration", times: [0], base: 1000, seconds: 0, median: 0),
    Odd(testDescription: "no frames are no time", times: [], base: 25, last: 1, declared: 100, seconds: 0, median: 0),
    Odd(testDescription: "equal times have no rate", times: [5, 5, 5], base: 25, last: 1, seconds: 0.04, median: 0),
    Odd(
      testDescription: "a last frame without a duration lasts as long as the others", times: [0, 2, 4, 6], base: 50,
      rate: Rational(25), seconds: 8.0 / 50, extremes: [25, 25], median: 2),
    Odd(
      testDescription: "a last frame may last longer", times: [0, 2, 4, 6], base: 50, last: 10, rate: Rational(25),
      seconds: 16.0 / 50, extremes: [25, 25], median: 2),
  ])
  func `times without a constant rate`(_ odd: Odd) throws {
    let timing = try Self.timing(odd.times, timeBase: (1, odd.base), last: odd.last, declared: odd.declared)
    #expect(timing.mode == odd.mode)
    #expect(timing.rate == odd.rate)
    expectNear(timing.durationSeconds, odd.seconds)
    expectNear(timing.startSeconds, Double(odd.times.first ?? 0) / Double(odd.base))
    #expect(timing.medianStep == odd.median)
    #expect((timing.highestRate == nil) == odd.extremes.isEmpty)
    if let highest = odd.extremes.first { expectNear(timing.highestRate, highest) }
    if let lowest = odd.extremes.last { expectNear(timing.lowestRate, lowest) }
  }

  @Test func `times that run backwards have no rate and no negative length`() throws {
    let timing = try Self.timing([40, 80, 0], timeBase: (1, 1000), last: 40)
    #expect(timing.rate == nil)
    expectNear(timing.durationSeconds, 0.04)
  }

  static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test(arguments: extremes, [(1, 1), (1, .max), (.max, 1), (1001, 30000)] as [(Int64, Int64)])
  func `no timestamps trap, and every number that comes out is finite`(first: Int64, timeBase: (Int64, Int64)) throws {
    for second in Self.extremes {
      for third in Self.extremes {
        for last in [0, 1, .max] as [Int64] {
          for (declared, longestHold) in [(nil, 0), (1, 60), (.max, 0), (.max, 60)] as [(Int64?, Double)] {
            let timing = try Self.timing(
              [first, second, third], timeBase: timeBase, last: last, declared: declared, longestHold: longestHold)
            #expect(timing.durationSeconds.isFinite && timing.startSeconds.isFinite)
            #expect(timing.durationSeconds >= 0)
            #expect(timing.highestRate?.isFinite ?? true)
            #expect(timing.lowestRate?.isFinite ?? true)
            #expect(timing.rate.map { $0 > Rational(0) } ?? true)
          }
        }
      }
    }
  }

  private func expectNear(_ value: Double?, _ expected: Double, sourceLocation: SourceLocation = #_sourceLocation) {
    MediaFactsTests.expectNear(value, expected, within: 1e-9, sourceLocation: sourceLocation)
  }
}
