/// Box averages of picture planes: the reduction every comparison starts from. Reads each sample once;
/// about 0.1 ms a megapixel for 8-bit planes.
enum BoxAverage {
  /// Reduces a whole picture. Depths above 8 bits are brought to 8-bit code values, fractions kept.
  static func thumbnail(_ pixels: PlanarPixels) -> Thumbnail {
    let scale = 1 / Float(1 << max(0, pixels.bitDepth - 8))
    func reduce(_ plane: PlanarPixels.Plane, _ side: Int) -> [Float] {
      pixels.bitDepth > 8
        ? grid(plane, side: side, sample: UInt16.self, scale: scale)
        : grid(plane, side: side, sample: UInt8.self, scale: scale)
    }
    return Thumbnail(
      luma: reduce(pixels.luma, Thumbnail.lumaSide),
      blue: reduce(pixels.blue, Thumbnail.chromaSide),
      red: reduce(pixels.red, Thumbnail.chromaSide))
  }

  /// Divides the plane into `side * side` cells and averages each. Planes smaller than the grid repeat
  /// samples: a cell is never empty.
  static func grid<Sample: FixedWidthInteger & UnsignedInteger>(
    _ plane: PlanarPixels.Plane, side: Int, sample: Sample.Type, scale: Float
  ) -> [Float] {
    let columns = bounds(length: plane.width, parts: side)
    let rows = bounds(length: plane.height, parts: side)
    return [Float](unsafeUninitializedCapacity: side * side) { cells, used in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: side) { sums in
        for y in 0..<side {
          sums.initialize(repeating: 0)
          for row in rows[y].start..<rows[y].end {
            let samples = (plane.start + row * plane.bytesPerRow).assumingMemoryBound(to: sample)
            for x in 0..<side {
              sums[x] &+= sum(samples + columns[x].start, count: columns[x].end - columns[x].start)
            }
          }
          let height = rows[y].end - rows[y].start
          for x in 0..<side {
            let area = Float((columns[x].end - columns[x].start) * height)
            cells[y * side + x] = Float(sums[x]) / area * scale
          }
        }
      }
      used = side * side
    }
  }

  @inline(__always)
  private static func sum<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: UnsafePointer<Sample>, count: Int
  ) -> UInt32 {
    var total: UInt32 = 0
    for index in 0..<count { total &+= UInt32(truncatingIfNeeded: samples[index]) }
    return total
  }

  private static func bounds(length: Int, parts: Int) -> [(start: Int, end: Int)] {
    (0..<parts).map { part in
      let start = part * length / parts
      return (start, max(start + 1, (part + 1) * length / parts))
    }
  }
}
