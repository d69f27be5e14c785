/// Reads rows and columns of a picture as numbers.
enum LumaLine {
  /// Reads the mean of neighbouring rows, or of columns, in 8-bit code values.
  ///
  /// - Parameters:
  ///   - x, y: the first sample.
  ///   - across: how many neighbours are averaged.
  ///   - down: along columns.
  ///   - places: of `line`, which get the samples; all of these have to be inside the picture.
  static func read(
    _ luma: PlanarPixels.Plane, bitDepth: Int, x: Int, y: Int, across: Int = 1, down: Bool = false,
    to line: inout [Float], at places: Range<Int>
  ) {
    line.withUnsafeMutableBufferPointer { line in
      let line = UnsafeMutableBufferPointer(rebasing: line[places])
      if bitDepth > 8 {
        let scale = 1 / Float(across << (bitDepth - 8))
        read(luma, x, y, across, down, scale, line) { Float(UInt16(littleEndian: $0)) }
      } else {
        read(luma, x, y, across, down, 1 / Float(across), line) { (sample: UInt8) in
          Float(sample)
        }
      }
    }
  }

  @inline(__always)
  private static func read<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ luma: PlanarPixels.Plane, _ x: Int, _ y: Int, _ across: Int, _ down: Bool, _ scale: Float,
    _ line: UnsafeMutableBufferPointer<Float>, _ value: (Sample) -> Float
  ) {
    let size = MemoryLayout<Sample>.size
    func row(_ number: Int) -> UnsafeRawPointer {
      luma.start + number * luma.bytesPerRow + x * size
    }
    func sample(_ row: UnsafeRawPointer, _ place: Int) -> Float {
      value(row.loadUnaligned(fromByteOffset: place * size, as: Sample.self))
    }
    if down {
      for place in line.indices {
        let row = row(y + place)
        var sum = Float(0)
        for neighbour in 0..<across { sum += sample(row, neighbour) }
        line[place] = sum * scale
      }
    } else {
      line.update(repeating: 0)
      for neighbour in 0..<across {
        let row = row(y + neighbour)
        for place in line.indices { line[place] += sample(row, place) }
      }
      for place in line.indices { line[place] *= scale }
    }
  }
}
