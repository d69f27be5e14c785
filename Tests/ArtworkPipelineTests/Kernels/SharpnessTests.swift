@testable import ArtworkMeasuring

@Suite struct SharpnessTests {
  typealias Plane = BoxAverageTests.Plane

  /// The mean difference of samples from the mean of the nine around them, over evenly spaced rows.
  static func plain(_ plane: Plane, depth: Int) -> Double {
    let rows = min(128, plane.height - 2)
    var sum = 0
    for row in 0..<rows {
      let y = 1 + (2 * row + 1) * (plane.height - 2) / (2 * rows)
      for x in 1..<plane.width - 1 {
        let around = (y - 1...y + 1).flatMap { plane.rows[$0][x - 1...x + 1] }.map(Int.init)
        sum += abs(9 * Int(plane.rows[y][x]) - around.reduce(0, +))
      }
    }
    return Double(sum) / Double(9 * rows * (plane.width - 2)) / Double(1 << (depth - 8))
  }

  static func mean(_ plane: Plane, depth: Int, bottomUp: Bool = false) -> Float {
    unsafe depth > 8
      ? plane.with(UInt16.self, bottomUp: bottomUp) { unsafe Sharpness.mean($0, bitDepth: depth) }
      : unsafe plane.with(UInt8.self, bottomUp: bottomUp) { unsafe Sharpness.mean($0, bitDepth: depth) }
  }

  @Test(
    "it is what the plain form gives, within the rounding of a Float",
    arguments: [(3, 3), (4, 5), (97, 75), (640, 130), (211, 300), (35, 131)], [8, 10, 12, 16])
  func plain(size: (Int, Int), depth: Int) {
    let plane = Plane(width: size.0, height: size.1, depth: depth, seed: 9)
    let expected = Self.plain(plane, depth: depth)
    for bottomUp in [false, true] {
      #expect(abs(Double(Self.mean(plane, depth: depth, bottomUp: bottomUp)) - expected) <= 1e-6 * expected)
    }
  }

  @Test func `rows longer than what 32 bits can add up are exact`() {
    // Every sample differs by the most from those beside it.
    let width = 10_000
    let row = (0..<width).map { UInt16($0 % 2 == 0 ? 0 : 65535) }
    let plane = Plane(width: width, height: 3, rows: [row, row, row])
    // Two thirds of 65535 around a 0, and as much around a 65535.
    #expect(abs(Self.mean(plane, depth: 16) - 65535 * 2 / 3 / 256) < 1e-3)
  }

  @Test func `even pictures and slopes have none; less than three columns or rows are not measured`() {
    #expect(Self.mean(Plane(width: 9, height: 9, rows: (0..<9).map { _ in Array(repeating: 77, count: 9) }), depth: 8) == 0)
    let slope = (0..<9).map { y in (0..<9).map { UInt16(3 * $0 + 5 * y) } }
    #expect(Self.mean(Plane(width: 9, height: 9, rows: slope), depth: 8) == 0)
    for size in [(2, 9), (9, 2), (1, 1)] {
      #expect(Self.mean(Plane(width: size.0, height: size.1, depth: 8, seed: 1), depth: 8) == 0)
    }
  }
}
