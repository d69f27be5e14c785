@testable import ArtworkMeasuring

/// The quick reduction against one that adds up every cell in the plainest way.
@Suite struct BoxAverageTests {
  /// A picture plane with rows padded by garbage, stored top-down or bottom-up.
  struct Plane {
    var width: Int
    var height: Int
    var rows: [[UInt16]]

    init(width: Int, height: Int, rows: [[UInt16]]) { (self.width, self.height, self.rows) = (width, height, rows) }

    init(width: Int, height: Int, depth: Int, seed: UInt64) {
      (self.width, self.height) = (width, height)
      var noise = Noise(seed: seed)
      rows = (0..<height).map { _ in (0..<width).map { _ in UInt16(truncatingIfNeeded: noise.next() >> 20) >> (16 - depth) } }
    }

    func with<Sample: FixedWidthInteger, R>(_ type: Sample.Type, bottomUp: Bool, _ body: (PlanarPixels.Plane) -> R) -> R {
      let padding = 5
      let stored = (bottomUp ? rows.reversed() : rows).flatMap { row in
        row.map { Sample(truncatingIfNeeded: $0) } + [Sample](repeating: Sample.max, count: padding)
      }
      let rowBytes = (width + padding) * MemoryLayout<Sample>.size
      return unsafe stored.withUnsafeBytes { bytes in
        let first = bottomUp ? (height - 1) * rowBytes : 0
        return unsafe body(
          PlanarPixels.Plane(
            start: bytes.baseAddress.unsafelyUnwrapped + first, bytesPerRow: bottomUp ? -rowBytes : rowBytes, width: width,
            height: height))
      }
    }

    /// Cells are of one size: a sample on an edge counts for both cells by its shares, and where cells are smaller than
    /// samples each is one sample.
    func reference(side: Int) -> [Double] {
      /// The samples that cell `index` touches, and how much of each.
      func shares(_ index: Int, _ length: Int) -> [(sample: Int, share: Double)] {
        let start = Double(index) * Double(length) / Double(side)
        let end = Double(index + 1) * Double(length) / Double(side)
        return (Int(start)..<min(length, Int(end.rounded(.up)))).map { ($0, min(end, Double($0 + 1)) - max(start, Double($0))) }
          .filter { $0.share > 1e-9 }
      }
      let (across, down) = ((0..<side).map { shares($0, width) }, (0..<side).map { shares($0, height) })
      return (0..<side * side).map { cell in
        var sum = 0.0
        for row in down[cell / side] {
          for column in across[cell % side] { sum += row.share * column.share * Double(rows[row.sample][column.sample]) }
        }
        return sum * Double(side * side) / Double(width * height)
      }
    }
  }

  static let sizes = [(64, 64), (65, 63), (128, 96), (1, 1), (3, 200), (200, 3), (51, 51), (127, 1), (640, 427)]

  @Test(arguments: sizes, [false, true])
  func `8-bit planes of any size, stored either way up`(size: (Int, Int), bottomUp: Bool) {
    let plane = Plane(width: size.0, height: size.1, depth: 8, seed: 1)
    for side in [32, 64, 128] {
      let cells = unsafe plane.with(UInt8.self, bottomUp: bottomUp) {
        unsafe BoxAverage.grid($0, side: side, sample: UInt8.self, scale: 1)
      }
      expectEqual(cells, plane.reference(side: side), within: 1e-3)
    }
  }

  @Test(arguments: sizes, [false, true])
  func `10-bit planes come out in 8-bit code values, fractions kept`(size: (Int, Int), bottomUp: Bool) {
    let plane = Plane(width: size.0, height: size.1, depth: 10, seed: 2)
    let cells = unsafe plane.with(UInt16.self, bottomUp: bottomUp) {
      unsafe BoxAverage.grid($0, side: 64, sample: UInt16.self, scale: 0.25)
    }
    expectEqual(cells, plane.reference(side: 64).map { $0 / 4 }, within: 1e-3)
  }

  @Test func `a picture that is shifted by half a cell is averaged halfway between cells`() {
    // Three samples to two cells: the middle one counts half for each.
    let plane = Plane(width: 3, height: 2, rows: [[10, 20, 40], [10, 20, 40]])
    let cells = unsafe plane.with(UInt8.self, bottomUp: false) {
      unsafe BoxAverage.grid($0, side: 2, sample: UInt8.self, scale: 1)
    }
    for (cell, expected) in zip(cells, [20.0 / 1.5, 50 / 1.5, 20 / 1.5, 50 / 1.5]) {
      #expect(abs(Double(cell) - expected) < 1e-5)
    }
  }

  @Test func `large bright cells keep their precision`() {
    // 4352 samples of 12 bits a cell: more than 16 bits, and more than the 24 of a Float, can hold.
    let (width, height) = (64 * 256, 64 * 17)
    let row = [UInt16](repeating: 4095, count: width)
    let cells = unsafe row.withUnsafeBytes { bytes in
      // A stride of zero repeats the row.
      unsafe BoxAverage.grid(
        PlanarPixels.Plane(start: bytes.baseAddress.unsafelyUnwrapped, bytesPerRow: 0, width: width, height: height), side: 64,
        sample: UInt16.self, scale: 1.0 / 16)
    }
    #expect(cells.allSatisfy { abs($0 - 4095.0 / 16) < 1e-4 })
  }

  @Test("a thumbnail holds luma and both chroma planes at their own sizes", arguments: [8, 10, 12])
  func thumbnail(depth: Int) {
    let luma = Plane(width: 97, height: 75, depth: depth, seed: 4)
    let blue = Plane(width: 49, height: 38, depth: depth, seed: 5)
    let red = Plane(width: 49, height: 38, depth: depth, seed: 6)
    func thumbnail<Sample: FixedWidthInteger>(_ type: Sample.Type) -> Thumbnail {
      unsafe luma.with(type, bottomUp: false) { luma in
        unsafe blue.with(type, bottomUp: true) { blue in
          unsafe red.with(type, bottomUp: false) { red in
            unsafe BoxAverage.thumbnail(PlanarPixels(luma: luma, blue: blue, red: red, bitDepth: depth))
          }
        }
      }
    }
    let result = depth > 8 ? thumbnail(UInt16.self) : thumbnail(UInt8.self)
    let scale = Double(1 << (depth - 8))
    expectEqual(result.detail, luma.reference(side: 128).map { $0 / scale }, within: 1e-3)
    expectEqual(result.luma, luma.reference(side: 64).map { $0 / scale }, within: 1e-3)
    expectEqual(result.blue, blue.reference(side: 32).map { $0 / scale }, within: 1e-3)
    expectEqual(result.red, red.reference(side: 32).map { $0 / scale }, within: 1e-3)
  }

  private func expectEqual(
    _ cells: [Float], _ reference: [Double], within tolerance: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(cells.count == reference.count, sourceLocation: sourceLocation)
    let worst = zip(cells, reference).map { abs(Double($0) - $1) }.max() ?? .infinity
    #expect(worst <= tolerance, sourceLocation: sourceLocation)
  }
}
