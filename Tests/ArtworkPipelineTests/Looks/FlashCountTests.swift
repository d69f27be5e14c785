@testable import ArtworkMeasuring

@Suite struct FlashCountTests {
  /// Frames of one value in some cells, `rest` in the others.
  static func values(_ sequence: [Float], in cells: (Int) -> Bool = { _ in true }, rest: Float = 0) -> [Float] {
    sequence.flatMap { value in (0..<256).map { cells($0) ? value : rest } }
  }

  static func times(_ count: Int, _ rate: Double) -> [Double] { (0..<count).map { Double($0) / rate } }

  static func worst(_ sequence: [Float], rate: Double = 30, kind: FlashCount.Kind = .general) -> FlashMeasurement.Second? {
    FlashCount.worstSecond(
      values(sequence), times: times(sequence.count, rate), duration: Double(sequence.count) / rate, kind: kind)
  }

  /// Bright for the second half of each period.
  static func strobe(_ count: Int, period: Int) -> [Float] { (0..<count).map { $0 % period < period / 2 ? 0 : 1 } }

  @Test func `a strobe has as many flashes as it has periods in a second`() {
    for (period, flashes) in [(10, 3.0), (6, 5), (30, 1), (2, 15)] {
      #expect(Self.worst(Self.strobe(60, period: period))?.flashes == flashes)
    }
    #expect(Self.worst([Float](repeating: 0.4, count: 30)) == nil)
  }

  @Test func `a loop is counted as it repeats`() {
    // Half a second: bright once is twice a second, bright twice four times.
    #expect(Self.worst([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0])?.flashes == 2)
    #expect(Self.worst([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0])?.flashes == 4)
    // A bright last frame before a dark first one, and nothing else: the seam alone flashes.
    #expect(Self.worst([0, 0, 0, 0, 1, 1], rate: 24)?.flashes == 4)
    #expect(Self.worst([0, 1], rate: 10)?.flashes == 5)
    // Two flashes on each side of the seam of three seconds.
    var apart = [Float](repeating: 0, count: 90)
    for frame in [2, 8, 80, 86] { apart[frame] = 1 }
    let second = Self.worst(apart)
    #expect(second?.flashes == 4)
    #expect(abs((second?.startSeconds ?? 0) - 80.0 / 30) < 1e-9)
  }

  @Test func `the second is any second, and half of a flash counts`() {
    func flashes(at frames: [Int]) -> Double? {
      var sequence = [Float](repeating: 0, count: 150)
      for frame in frames { (sequence[frame], sequence[frame + 1]) = (1, 1) }
      return Self.worst(sequence)?.flashes
    }
    #expect(flashes(at: [20, 28, 36, 44]) == 4)
    #expect(flashes(at: [20, 30, 40, 50]) == 3)
    // The fourth begins within the second and ends after it.
    #expect(flashes(at: [20, 29, 38, 48]) == 3.5)
    #expect(flashes(at: [20, 60, 100, 140]) == 1)
  }

  @Test func `a change is one tenth or more, from a darker state below 0.8`() {
    func flashes(_ dark: Float, _ bright: Float) -> Double {
      Self.worst(Self.strobe(60, period: 6).map { $0 == 0 ? dark : bright })?.flashes ?? 0
    }
    #expect(flashes(0.3, 0.4) == 5)
    #expect(flashes(0.3, 0.398) == 0)
    #expect(flashes(0.79, 0.9) == 5)
    #expect(flashes(0.81, 1) == 0)
    // Up, a dip that stays bright, down: one flash, not two.
    #expect(Self.worst([0.5, 0.95, 0.83, 0.95, 0.5, 0.5, 0.5, 0.5], rate: 8)?.flashes == 1)
    // A dip that begins above and goes on below counts.
    #expect(Self.worst([0.95, 0.83, 0.6, 0.6, 0.95, 0.95, 0.95, 0.95], rate: 8)?.flashes == 1)
  }

  @Test func `slow changes are transitions, noise is none`() {
    func triangle(_ period: Int, _ low: Float, _ high: Float) -> [Float] {
      (0..<60).map { frame in
        let place = Float(frame % period) / Float(period)
        return low + (high - low) * (place < 0.5 ? 2 * place : 2 - 2 * place)
      }
    }
    #expect(Self.worst(triangle(6, 0.1, 0.6))?.flashes == 5)
    #expect(Self.worst(triangle(30, 0.1, 0.6))?.flashes == 1)
    #expect(Self.worst(triangle(6, 0.1, 0.19)) == nil)
    // Steps down on the way up do not turn it.
    let stairs: [Float] = [0, 0.2, 0.15, 0.35, 0.3, 0.5, 0.45, 0.65, 0.6, 0.8, 0.4, 0]
    #expect(Self.worst(stairs, rate: 12)?.flashes == 1)
  }

  @Test func `more than a quarter of a part half as wide and high must change, together`() {
    let strobe = Self.strobe(60, period: 6)
    func flashes(_ cells: @escaping (Int) -> Bool) -> FlashMeasurement.Second? {
      FlashCount.worstSecond(Self.values(strobe, in: cells), times: Self.times(60, 30), duration: 2, kind: .general)
    }
    func square(_ side: Int, _ more: Int = 0) -> (Int) -> Bool {
      { ($0 % 16 < side && $0 / 16 < side) || ($0 % 16 == side && $0 / 16 < more) }
    }
    #expect(flashes(square(4)) == nil)
    #expect(flashes(square(4, 1))?.flashes == 5)
    #expect(flashes(square(16))?.share == 1)
    #expect(flashes(square(8))?.share == 0.25)
    // 17 cells, scattered over the whole.
    #expect(flashes { $0 % 15 == 0 } == nil)
  }

  @Test func `broadcasters count steps of 20 cd/m² over a quarter of the whole picture`() {
    func flashes(_ dark: Float, _ bright: Float, in cells: @escaping (Int) -> Bool = { _ in true }) -> Double? {
      let values = Self.values(Self.strobe(60, period: 6).map { $0 == 0 ? dark : bright }, in: cells)
      return FlashCount.worstSecond(values, times: Self.times(60, 30), duration: 2, kind: .broadcast, areas: FlashCount.screen)?
        .flashes
    }
    // White is 203 cd/m²: 20.3 and 19.3 cd/m² more; from 158 and 164 cd/m² on.
    #expect(flashes(0.3, 0.4) == 5)
    #expect(flashes(0.3, 0.395) == nil)
    #expect(flashes(0.78, 0.9) == 5)
    #expect(flashes(0.81, 1) == nil)
    // 64 cells of 256 are a quarter, not more. WCAG's smaller window sees them.
    #expect(flashes(0.1, 0.9) { $0 / 16 < 4 } == nil)
    #expect(flashes(0.1, 0.9) { $0 / 16 < 5 } == 5)
  }

  @Test func `parts that change places flash as often as each does`() {
    for (period, flashes) in [(16, 2.0), (6, 5)] {
      let strobe = Self.strobe(96, period: period)
      let values = strobe.flatMap { value in (0..<256).map { $0 % 16 < 8 ? value : 1 - value } }
      let second = FlashCount.worstSecond(
        values, times: Self.times(96, period == 16 ? 32 : 30), duration: period == 16 ? 3 : 3.2, kind: .general)
      #expect(second?.flashes == flashes)
    }
  }

  @Test func `a bar that moves past is no flash, however often`() {
    // Four columns wide, over 16 columns in half a second: each place is lit twice a second.
    let values = (0..<64).flatMap { frame in (0..<256).map { cell in Float((cell % 16 - frame + 64) % 16 < 4 ? 1 : 0) } }
    let second = FlashCount.worstSecond(values, times: Self.times(64, 32), duration: 2, kind: .general)
    #expect((second?.flashes ?? 0) <= 3)
  }

  @Test func `times decide, not frames: held frames, and times that are no times`() {
    // Dark, bright, dark, ... at irregular times: eight changes in 0.9 s, then a second of rest.
    let irregular = [0, 0.1, 0.25, 0.3, 0.5, 0.55, 0.7, 0.8, 1.0]
    let values = Self.values([0, 1, 0, 1, 0, 1, 0, 1, 0])
    #expect(FlashCount.worstSecond(values, times: irregular, duration: 2, kind: .general)?.flashes == 4)
    #expect(FlashCount.worstSecond(values, times: irregular.map { 3 * $0 }, duration: 6, kind: .general)?.flashes == 2)
    let never = Array(repeating: 0.0, count: 9)
    #expect(FlashCount.worstSecond(values, times: never, duration: 0, kind: .general) == nil)
    #expect(FlashCount.worstSecond(values, times: never, duration: 0.001, kind: .general) == nil)
    // All at once, and then a second: the count ends.
    #expect(FlashCount.worstSecond(values, times: never, duration: 1, kind: .general)?.flashes != nil)
  }

  @Test func `red flashes are counted by how far red exceeds the others`() {
    let redness = Self.strobe(60, period: 6).map { $0 * 64 }
    #expect(Self.worst(redness, kind: .red)?.flashes == 5)
    #expect(Self.worst(redness.map { $0 / 3.3 }, kind: .red) == nil)
  }

  @Test func `between two frames, the share of a part that changes like half of a flash`() {
    let dark = Self.values([0.2])
    func share(_ cells: (Int) -> Bool, _ bright: Float = 0.5) -> Double {
      FlashCount.largestChange(from: dark, to: Self.values([bright], in: cells, rest: 0.2), kind: .general)
    }
    #expect(share { _ in true } == 1)
    #expect(share { $0 % 16 < 2 && $0 / 16 < 8 } == 0.25)
    #expect(share({ _ in true }, 0.29) == 0)
  }
}
