/// The stored numbers of every decoded frame: 20 KB.
struct SeamTrace {
  /// ``Thumbnail/detail`` in bytes; empty for frames from ``SeamClip/mostDetailed`` on.
  let detail: [UInt8]
  /// The means of 16x16 cells of luma, blue and red.
  let cells: FrameCells
  let luma: Double
  /// The standard deviation of luma.
  let contrast: Double
  let sharpness: Double
  /// The change from the frame before, if that was decoded: in the 8 busiest of 256 blocks (``FrameChange/busy``),
  /// and the mean of each of 64 blocks.
  var busyStep: Double?
  var blockSteps: [Float]?

  init(_ frame: ComparedFrame, after previous: ComparedFrame?, hasDetail: Bool) {
    detail = hasDetail ? frame.thumbnail.detail.bytes : []
    cells = frame.cells
    (luma, contrast) = (frame.luma, frame.contrast)
    sharpness = Double(frame.thumbnail.sharpness)
    busyStep = previous.map { FrameChange.busy($0, frame) }
    blockSteps = previous.map { FrameStep.blockSteps($0.thumbnail, frame.thumbnail) }
  }
}

extension SeamTrace {
  /// The mean squared difference of luma in each of some blocks of ``Flow``.
  func changes(to other: SeamTrace, in blocks: some Collection<Int>) -> [Float] {
    let (side, block) = (Thumbnail.detailSide, Thumbnail.detailSide / Flow.blocksAcross)
    return blocks.map { number in
      let corner = number / Flow.blocksAcross * block * side + number % Flow.blocksAcross * block
      var sum = 0
      for y in 0..<block {
        let row = corner + y * side
        for place in row..<row + block {
          let difference = Int(detail[place]) - Int(other.detail[place])
          sum += difference * difference
        }
      }
      return Float(sum) / Float(block * block)
    }
  }

  /// The root mean square difference of luma from the mean of two frames, in each block; 0 where detail is not kept.
  func oddness(between one: SeamTrace, _ other: SeamTrace) -> [Float] {
    let (side, block) = (Thumbnail.detailSide, Thumbnail.detailSide / Flow.blocksAcross)
    var squares = [Int](repeating: 0, count: Flow.blockCount)
    for place in detail.indices.prefix(min(one.detail.count, other.detail.count)) {
      let odd = 2 * Int(detail[place]) - Int(one.detail[place]) - Int(other.detail[place])
      squares[place / side / block * Flow.blocksAcross + place % side / block] += odd * odd
    }
    return squares.map { (Float($0) / Float(4 * block * block)).squareRoot() }
  }

  /// The root mean square difference in each block.
  func blockChanges(to other: SeamTrace) -> [Float] {
    var squares = changes(to: other, in: 0..<Flow.blockCount)
    for block in squares.indices {
      let blue = cells.blue[block] - other.cells.blue[block]
      let red = cells.red[block] - other.cells.red[block]
      squares[block] = (squares[block] + (blue * blue + red * red) / 2).squareRoot()
    }
    return squares
  }

  /// The root mean square difference in the busiest blocks or cells.
  func change(to other: SeamTrace) -> Double {
    let coarse = FrameChange.busy(cells, other.cells)
    guard !detail.isEmpty, !other.detail.isEmpty else { return coarse }
    let fine = changes(to: other, in: 0..<Flow.blocksAcross * Flow.blocksAcross)
    return max(coarse, fine.meanOfLargest(FrameChange.busyBlocks).squareRoot())
  }
}

/// A frame whose picture is compared.
final class ComparedFrame {
  let thumbnail: Thumbnail
  let cells: FrameCells
  let luma: Double
  /// The standard deviation of luma.
  let contrast: Double
  private(set) lazy var flow = FlowPicture(thumbnail)

  init(_ thumbnail: Thumbnail) {
    self.thumbnail = thumbnail
    cells = FrameCells(thumbnail)
    (luma, contrast) = FrameStep.statistics(thumbnail)
  }
}

/// A frame in 16x16 cells.
struct FrameCells {
  static let side = 16

  let luma: [Float]
  let blue: [Float]
  let red: [Float]

  init(_ frame: Thumbnail) {
    luma = Self.means(frame.luma, side: Thumbnail.lumaSide)
    blue = Self.means(frame.blue, side: Thumbnail.chromaSide)
    red = Self.means(frame.red, side: Thumbnail.chromaSide)
  }

  private static func means(_ plane: [Float], side: Int) -> [Float] {
    let size = side / Self.side
    return (0..<Self.side * Self.side).map { cell in
      let corner = cell / Self.side * size * side + cell % Self.side * size
      var sum: Float = 0
      for y in 0..<size {
        for x in 0..<size { sum += plane[corner + y * side + x] }
      }
      return sum / Float(size * size)
    }
  }

  /// Darker cells cannot reveal a change of light, in code values.
  private static let lit: Float = 32
  /// Fewer lit cells are too few to distinguish a change of light from motion.
  private static let fewestLit = side

  /// How far most of the picture shifts from `other` to this one: the median over cells of the signed change of luma,
  /// blue and red. Motion cancels out. It is the larger of that over all cells and that over lit ones.
  func shift(from other: FrameCells) -> [Double] {
    let lit = luma.indices.filter { max(luma[$0], other.luma[$0]) > Self.lit }
    return [(other.luma, luma), (other.blue, blue), (other.red, red)].map { before, after in
      let changes = zip(before, after).map { Double($1 - $0) }
      let all = changes.median ?? 0
      guard lit.count >= Self.fewestLit, lit.count < changes.count else { return all }
      let ofLit = lit.map { changes[$0] }.median ?? 0
      return abs(ofLit) > abs(all) ? ofLit : all
    }
  }
}

extension FrameCells {
  /// See ``SeamMeasurement/Content/colours``. Moving objects keep their colours.
  package func colours(to other: FrameCells) -> Double {
    func distance(_ one: [Float], _ other: [Float]) -> Double {
      zip(one.sorted(), other.sorted()).map { abs($0 - $1) }.mean
    }
    return distance(luma, other.luma)
      + (distance(blue, other.blue) + distance(red, other.red)) / 2
  }
}

/// The size of a change between two frames.
enum FrameChange {
  /// Blocks that count as busy: 3 % of the picture, so that little that moves is seen as well.
  static let busyBlocks = 8

  /// The root mean square difference in the busiest blocks, in 8-bit code values.
  static func busy(_ a: ComparedFrame, _ b: ComparedFrame) -> Double {
    Flow.change(a.thumbnail, b.thumbnail).meanOfLargest(busyBlocks).squareRoot()
  }

  /// The root mean square difference in the busiest cells. Cells contain less than frames: detail inside is averaged out.
  static func busy(_ a: FrameCells, _ b: FrameCells) -> Double {
    a.luma.indices.map { cell in
      let (luma, blue) = (a.luma[cell] - b.luma[cell], a.blue[cell] - b.blue[cell])
      let red = a.red[cell] - b.red[cell]
      return luma * luma + (blue * blue + red * red) / 2
    }.meanOfLargest(busyBlocks).squareRoot()
  }
}
