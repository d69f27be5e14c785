import TestSupport
import Testing

@testable import ArtworkPipeline

/// The quick reduction against one that adds up every cell in the plainest way.
@Suite struct BoxAverageTests {
  /// A picture plane with rows padded by garbage, stored top-down or bottom-up.
  struct Plane {
    var width: Int
    var height: Int
    var rows: [[UInt16]]

    init(width: Int, height: Int, depth: Int, seed: UInt64) {
      (self.width, self.height) = (width, height)
      var noise = Noise(seed: seed)
      rows = (0..<height).map { _ in
        (0..<width).map { _ in UInt16(truncatingIfNeeded: noise.next() >> 20) & (1 << depth - 1) }
      }
    }

    func with<Sample: FixedWidthInteger, R>(
      _ type: Sample.Type, bottomUp: Bool, _ body: (PlanarPixels.Plane) -> R
    ) -> R {
      let padding = 5
      let stored = (bottomUp ? rows.reversed() : rows).flatMap { row in
        row.map { Sample(truncatingIfNeeded: $0) }
          + [Sample](repeating: Sample.max, count: padding)
      }
      let rowBytes = (width + padding) * MemoryLayout<Sample>.size
      return stored.withUnsafeBytes { bytes in
        let first = bottomUp ? (height - 1) * rowBytes : 0
        return body(
          PlanarPixels.Plane(
            start: bytes.baseAddress.unsafelyUnwrapped + first,
            bytesPerRow: bottomUp ? -rowBytes : rowBytes, width: width, height: height))
      }
    }

    /// Cell (x, y) holds the samples from its own edge to the next cell's edge, at least one.
    func reference(side: Int) -> [Double] {
      (0..<side * side).map { cell in
        let (x, y) = (cell % side, cell / side)
        func span(_ index: Int, _ length: Int) -> Range<Int> {
          let start = index * length / side
          return start..<max(start + 1, (index + 1) * length / side)
        }
        var (sum, count) = (0.0, 0.0)
        for row in span(y, height) {
          for column in span(x, width) {
            sum += Double(rows[row][column])
            count += 1
          }
        }
        return sum / count
      }
    }
  }

  static let sizes = [
    (64, 64), (65, 63), (128, 96), (1, 1), (3, 200), (200, 3), (51, 51), (127, 1), (640, 427),
  ]

  @Test("8-bit planes of any size, stored either way up", arguments: sizes, [false, true])
  func eightBits(size: (Int, Int), bottomUp: Bool) {
    let plane = Plane(width: size.0, height: size.1, depth: 8, seed: 1)
    for side in [32, 64] {
      let cells = plane.with(UInt8.self, bottomUp: bottomUp) {
        BoxAverage.grid($0, side: side, sample: UInt8.self, scale: 1)
      }
      expectEqual(cells, plane.reference(side: side), within: 1e-3)
    }
  }

  @Test(
    "10-bit planes come out in 8-bit code values, fractions kept", arguments: sizes, [false, true])
  func tenBits(size: (Int, Int), bottomUp: Bool) {
    let plane = Plane(width: size.0, height: size.1, depth: 10, seed: 2)
    let cells = plane.with(UInt16.self, bottomUp: bottomUp) {
      BoxAverage.grid($0, side: 64, sample: UInt16.self, scale: 0.25)
    }
    expectEqual(cells, plane.reference(side: 64).map { $0 / 4 }, within: 1e-3)
  }

  @Test("every sample counts once: cells weighted by their areas add up to the plane")
  func partition() {
    let plane = Plane(width: 211, height: 173, depth: 8, seed: 3)
    let cells = plane.with(UInt8.self, bottomUp: false) {
      BoxAverage.grid($0, side: 64, sample: UInt8.self, scale: 1)
    }
    func area(_ index: Int, _ length: Int) -> Int {
      (index + 1) * length / 64 - index * length / 64
    }
    let weighted = cells.indices.reduce(0.0) {
      $0 + Double(cells[$1]) * Double(area($1 % 64, 211) * area($1 / 64, 173))
    }
    let sum = plane.rows.joined().reduce(0.0) { $0 + Double($1) }
    #expect(abs(weighted / sum - 1) < 1e-6)
  }

  @Test("large bright cells keep their precision")
  func largeCells() {
    // 4352 samples of 12 bits a cell: more than 16 bits, and more than the 24 of a Float, can hold.
    let (width, height) = (64 * 256, 64 * 17)
    let row = [UInt16](repeating: 4095, count: width)
    let cells = row.withUnsafeBytes { bytes in
      // A stride of zero repeats the row.
      BoxAverage.grid(
        PlanarPixels.Plane(
          start: bytes.baseAddress.unsafelyUnwrapped, bytesPerRow: 0, width: width, height: height),
        side: 64, sample: UInt16.self, scale: 1.0 / 16)
    }
    #expect(cells.allSatisfy { abs($0 - 4095.0 / 16) < 1e-4 })
  }

  @Test("a thumbnail holds luma and both chroma planes at their own sizes", arguments: [8, 10, 12])
  func thumbnail(depth: Int) {
    let luma = Plane(width: 97, height: 75, depth: depth, seed: 4)
    let blue = Plane(width: 49, height: 38, depth: depth, seed: 5)
    let red = Plane(width: 49, height: 38, depth: depth, seed: 6)
    func thumbnail<Sample: FixedWidthInteger>(_ type: Sample.Type) -> Thumbnail {
      luma.with(type, bottomUp: false) { luma in
        blue.with(type, bottomUp: true) { blue in
          red.with(type, bottomUp: false) { red in
            BoxAverage.thumbnail(
              PlanarPixels(luma: luma, blue: blue, red: red, bitDepth: depth))
          }
        }
      }
    }
    let result = depth > 8 ? thumbnail(UInt16.self) : thumbnail(UInt8.self)
    let scale = Double(1 << (depth - 8))
    expectEqual(result.luma, luma.reference(side: 64).map { $0 / scale }, within: 1e-3)
    expectEqual(result.blue, blue.reference(side: 32).map { $0 / scale }, within: 1e-3)
    expectEqual(result.red, red.reference(side: 32).map { $0 / scale }, within: 1e-3)
  }

  private func expectEqual(
    _ cells: [Float], _ reference: [Double], within tolerance: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(cells.count == reference.count, sourceLocation: sourceLocation)
    let worst = zip(cells, reference).map { abs(Double($0) - $1) }.max() ?? .infinity
    #expect(worst <= tolerance, sourceLocation: sourceLocation)
  }
}
