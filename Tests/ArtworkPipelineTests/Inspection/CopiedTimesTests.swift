@testable import ArtworkMedia

@Suite struct CopiedTimesTests {
  /// - Parameters:
  ///   - notation: of ``PacketTableTests/made(_:)``.
  ///   - timeBase: the denominator.
  private static func times(_ notation: String, timeBase: Int64 = 1000, lastDuration: Int64 = 0) throws -> CopiedTimes {
    let table = try PacketTableTests.made(notation)
    return CopiedTimes(
      table: table, order: try #require(table.presentationOrder), timeBase: try #require(Rational(1, timeBase)),
      lastDuration: lastDuration)
  }

  @Test("milliseconds of Matroska become the rate that they were rounded from")
  func rounded() throws {
    // 24000/1001 fps, as ffmpeg rounds it, from 1 s on.
    let shown = (0..<48).map { Int64((1000 + Double($0) * 1001 / 24).rounded()) }
    let times = try Self.times(shown.map { "\($0)" }.joined(separator: " "))
    #expect(times.timeBase == Rational(1, 24_000))
    #expect(times.pts == (0..<48).map { $0 * 1001 })
    #expect(times.dts == times.pts)
    #expect(times.durations == Array(repeating: 1001, count: 48))
  }

  @Test func `decoding times come from the decoding order, and none is later than its frame is shown`() throws {
    let times = try Self.times("0! 160 80 40 120 320 240 200 280", timeBase: 1000)
    #expect(times.timeBase == Rational(1, 25))
    #expect(times.pts == [0, 4, 2, 1, 3, 8, 6, 5, 7])
    #expect(times.dts == [-2, -1, 0, 1, 2, 3, 4, 5, 6])
    #expect(zip(times.pts, times.dts).allSatisfy(>=))
  }

  @Test func `times that vary stay, counted from the first`() throws {
    let times = try Self.times("500! 533 600 610 700", lastDuration: 33)
    #expect(times.timeBase == Rational(1, 1000))
    #expect(times.pts == [0, 33, 100, 110, 200])
    #expect(times.durations == [33, 67, 10, 90, 33])
  }

  @Test func `the jitter of a phone is more than rounding, and stays`() throws {
    // 30 fps in units of 1/90000, 2 % off.
    let times = try Self.times("0! 3060 6000 8990 12000 15000", timeBase: 90_000)
    #expect(times.pts == [0, 3060, 6000, 8990, 12_000, 15_000])
  }

  @Test func `a last frame that is held stays held; one that is only rounded does not last longer`() throws {
    let even = "0! 40 80 120"
    #expect(try Self.times(even, lastDuration: 41).durations == [1, 1, 1, 1])
    #expect(try Self.times(even, lastDuration: 200).durations == [1, 1, 1, 5])
  }

  @Test func `a single frame lasts as long as it did`() throws {
    let times = try Self.times("7!", lastDuration: 40)
    #expect(times.pts == [0] && times.dts == [0] && times.durations == [40])
  }
}
