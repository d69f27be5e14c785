internal import CKernels

/// Every frame of a clip, reduced to bytes in three sizes: 128x128 luma to search motion in, 64x64 luma with 32x32
/// chroma to compare exactly, 16x16 with 8x8 to compare all with all. 23 KB per frame.
///
/// A *distance* is the mean absolute luma difference plus half of the chroma mean, in 8-bit code values.
/// Rounding to bytes blurs it by about 0.2.
package struct ReducedClip: Sendable {
  private static let fine = (luma: 64 * 64, chroma: 2 * 32 * 32)
  private static let coarse = (luma: 16 * 16, chroma: 2 * 8 * 8)

  private static let detail = Thumbnail.detailSide * Thumbnail.detailSide

  private var detailBytes: [UInt8] = []
  private var fineBytes: [UInt8] = []
  private var coarseBytes: [UInt8] = []
  /// The number of frames so far.
  package private(set) var count = 0

  /// - Parameter expectedCount: frames to come, so that memory is taken once.
  package init(expectedCount: Int = 0) {
    detailBytes.reserveCapacity(expectedCount * Self.detail)
    fineBytes.reserveCapacity(expectedCount * (Self.fine.luma + Self.fine.chroma))
    coarseBytes.reserveCapacity(expectedCount * (Self.coarse.luma + Self.coarse.chroma))
  }

  package init(_ frames: some Collection<Thumbnail>) {
    self.init(expectedCount: frames.count)
    for frame in frames { append(frame) }
  }

  /// The next frame in presentation order. Values outside of 0...255 are clamped.
  package mutating func append(_ frame: Thumbnail) {
    detailBytes += frame.detail.bytes
    fineBytes += frame.luma.bytes
    fineBytes += frame.blue.bytes
    fineBytes += frame.red.bytes
    coarseBytes += Self.reduced(frame.luma, side: Thumbnail.lumaSide).bytes
    coarseBytes += Self.reduced(frame.blue, side: Thumbnail.chromaSide).bytes
    coarseBytes += Self.reduced(frame.red, side: Thumbnail.chromaSide).bytes
    count += 1
  }

  /// Frame `number` as rounding to bytes leaves it, without its sharpness.
  package func thumbnail(_ number: Int) -> Thumbnail {
    let (luma, chroma) = (Self.fine.luma, Self.fine.chroma / 2)
    func chromaPlane(_ offset: Int) -> [Float] {
      let start = number * (luma + 2 * chroma) + luma + offset
      return fineBytes[start..<start + chroma].map(Float.init)
    }
    let start = number * Self.detail
    return Thumbnail(
      detail: detailBytes[start..<start + Self.detail].map(Float.init), blue: chromaPlane(0),
      red: chromaPlane(chroma))
  }

  /// Whether frame `number` equals `frame` up to rounding to bytes.
  package func holds(_ frame: Thumbnail, at number: Int) -> Bool {
    var single = ReducedClip()
    single.append(frame)
    let length = single.fineBytes.count
    return fineBytes[number * length..<(number + 1) * length].elementsEqual(single.fineBytes)
  }

  /// The distance of two frames at full detail; about 0.3 us.
  package func distance(_ a: Int, _ b: Int) -> Double {
    unsafe fineBytes.withUnsafeBufferPointer { unsafe Self.distance($0, a, b, shape: Self.fine) }
  }

  /// The distance of two frames at 16x16; about 20 ns.
  func coarseDistance(_ a: Int, _ b: Int) -> Double {
    unsafe coarseBytes.withUnsafeBufferPointer {
      unsafe Self.distance($0, a, b, shape: Self.coarse)
    }
  }

  /// The correlation of the luma of two frames at 16x16; 1 for two plain ones, 0 for a plain one and a picture.
  func coarseCorrelation(_ a: Int, _ b: Int) -> Double {
    let (length, count) = (Self.coarse.luma + Self.coarse.chroma, Double(Self.coarse.luma))
    var (sums, squares, product) = (SIMD2<Double>.zero, SIMD2<Double>.zero, 0.0)
    for cell in 0..<Self.coarse.luma {
      let pair = SIMD2(
        Double(coarseBytes[a * length + cell]), Double(coarseBytes[b * length + cell]))
      sums += pair
      squares += pair * pair
      product += pair.x * pair.y
    }
    let deviations = (squares / count - sums / count * (sums / count)).squareRoot()
    if deviations.min() < 1 { return deviations.max() < 1 ? 1 : 0 }
    return (product / count - sums.x / count * (sums.y / count)) / (deviations.x * deviations.y)
  }

  /// The coarse distances of every frame to the one `lag` later: `count - lag` values.
  func coarseDiagonal(lag: Int) -> [Float] {
    precondition((0...count).contains(lag), "a lag within the clip")
    return unsafe coarseBytes.withUnsafeBufferPointer { bytes in
      (0..<count - lag).map { unsafe Float(Self.distance(bytes, $0, $0 + lag, shape: Self.coarse)) }
    }
  }

  /// How visible it is that two frames lie over each other: the mean over the 8 worst of 16x16 cells of the difference of
  /// luma, at most the largest step between neighbours in the cell, since only edges are seen twice; in code values. In a
  /// faint picture the same difference is seen more: it grows as the contrast falls below ``usualContrast``, up to
  /// ``mostDoubling``.
  package func doubling(_ a: Int, _ b: Int) -> Double {
    let (side, length) = (Thumbnail.lumaSide, Self.fine.luma + Self.fine.chroma)
    let cell = side / 16
    var worst: [Int] = []
    var (totals, squares) = ([0.0, 0], [0.0, 0])
    for top in stride(from: 0, to: side, by: cell) {
      for left in stride(from: 0, to: side, by: cell) {
        var (sums, edge) = ([0, 0], 0)
        for (frame, number) in [a, b].enumerated() {
          for y in top..<top + cell {
            for x in left..<left + cell {
              let place = number * length + y * side + x
              let value = Int(fineBytes[place])
              sums[frame] += value
              squares[frame] += Double(value * value)
              if x > 0 { edge = max(edge, abs(value - Int(fineBytes[place - 1]))) }
              if y > 0 { edge = max(edge, abs(value - Int(fineBytes[place - side]))) }
            }
          }
        }
        for frame in 0..<2 { totals[frame] += Double(sums[frame]) }
        worst.append(min(abs(sums[0] - sums[1]) / (cell * cell), edge))
      }
    }
    let count = Double(side * side)
    let variance = (0..<2).map { squares[$0] / count - totals[$0] / count * (totals[$0] / count) }
    let contrast = max(0, variance.min() ?? 0).squareRoot()
    let faintness = Self.usualContrast / min(Self.usualContrast, max(Self.leastContrast, contrast))
    let doubled = Double(worst.sorted().suffix(8).reduce(0, +)) / 8
    return max(doubled, min(Self.mostDoubling, doubled * faintness))
  }

  /// Doubled edges that everybody sees.
  static let mostDoubling = 60.0

  /// The contrast (the standard deviation of luma) of most footage, and the one below which faintness counts no more, in code
  /// values.
  private static let (usualContrast, leastContrast) = (40.0, 8.0)

  /// The picture of a frame for ``PictureLikeness``, in grey.
  package func signature(_ number: Int) -> PictureSignature {
    let (side, small) = (Thumbnail.lumaSide, PictureSignature.side)
    let start = number * (Self.fine.luma + Self.fine.chroma)
    return PictureSignature(
      cells: (0..<small * small).flatMap { cell -> [UInt8] in
        let rows = (cell / small) * side / small..<((cell / small) + 1) * side / small
        let columns = (cell % small) * side / small..<((cell % small) + 1) * side / small
        let sum = rows.reduce(0) { sum, y in
          columns.reduce(sum) { $0 + Int(fineBytes[start + y * side + $1]) }
        }
        let mean = UInt8(sum / max(1, rows.count * columns.count))
        return [mean, mean, mean]
      })
  }

  /// The contrast of a frame (the standard deviation of luma), and its mean luma, in code values.
  func light(_ number: Int) -> (contrast: Double, luma: Double) {
    let start = number * (Self.coarse.luma + Self.coarse.chroma)
    let cells = coarseBytes[start..<start + Self.coarse.luma].map(Double.init)
    let mean = cells.reduce(0, +) / Double(cells.count)
    let squares = cells.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return ((squares / Double(cells.count)).squareRoot(), mean)
  }

  /// Luma, blue and red of 32x32 cells, in code values.
  func colors(_ number: Int) -> [[Float]] {
    let (side, small) = (Thumbnail.lumaSide, Thumbnail.chromaSide)
    let start = number * (Self.fine.luma + Self.fine.chroma)
    return (0..<small * small).map { cell in
      let corner = start + cell / small * 2 * side + cell % small * 2
      let luma = [0, 1, side, side + 1].reduce(Float(0)) { $0 + Float(fineBytes[corner + $1]) }
      let blue = start + Self.fine.luma + cell
      return [luma / 4, Float(fineBytes[blue]), Float(fineBytes[blue + Self.fine.chroma / 2])]
    }
  }

  /// How far the luma of the frame at a share of the way between two frames is from a mix of both, as a share of their
  /// difference.
  func rest(of start: Int, _ end: Int, share: Double) -> Double {
    let length = Self.coarse.luma + Self.coarse.chroma
    let between = start + (wholeNumber((share * Double(end - start)).rounded()) ?? 0)
    let share = Double(between - start) / Double(end - start)
    var (rest, change) = (0.0, 0.0)
    for cell in 0..<Self.coarse.luma {
      let values = [start, end, between].map { Double(coarseBytes[$0 * length + cell]) }
      rest += abs(values[2] - values[0] - share * (values[1] - values[0]))
      change += abs(values[1] - values[0])
    }
    return rest / max(1, change)
  }

  private static func distance(
    _ bytes: UnsafeBufferPointer<UInt8>, _ a: Int, _ b: Int, shape: (luma: Int, chroma: Int)
  ) -> Double {
    let length = shape.luma + shape.chroma
    precondition(a >= 0 && b >= 0 && (max(a, b) + 1) * length <= bytes.count, "frames of the clip")
    guard let start = bytes.baseAddress else { return 0 }
    let (one, other) = unsafe (start + a * length, start + b * length)
    let luma = unsafe sum(one, other, count: shape.luma)
    let chroma = unsafe sum(one + shape.luma, other + shape.luma, count: shape.chroma)
    return Double(luma) / Double(shape.luma) + Double(chroma) / Double(shape.chroma) / 2
  }

  /// The sum of absolute differences. Written so that compilers see it as such: processors have an
  /// instruction for 16 at a time.
  @inline(__always)
  private static func sum(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, count: Int) -> Int32 {
    var total: Int32 = 0
    for index in 0..<count {
      let difference = unsafe Int32(a[index]) &- Int32(b[index])
      total &+= difference < 0 ? 0 &- difference : difference
    }
    return total
  }

  /// A quarter of the side, box-averaged.
  private static func reduced(_ plane: [Float], side: Int) -> [Float] {
    let small = side / 4
    var cells = [Float](repeating: 0, count: small * small)
    for y in 0..<side {
      for x in 0..<side { cells[y / 4 * small + x / 4] += plane[y * side + x] / 16 }
    }
    return cells
  }
}

extension [Float] {
  /// Rounded to code values; those outside of 0...255 are clamped.
  package var bytes: [UInt8] {
    unsafe withUnsafeBufferPointer { values in
      unsafe [UInt8](unsafeUninitializedCapacity: values.count) { bytes, count in
        guard let from = values.baseAddress, let to = bytes.baseAddress else { return }
        unsafe artwork_bytes(from, Int32(values.count), to)
        count = values.count
      }
    }
  }
}
