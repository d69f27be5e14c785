/// Some of the 8x8 blocks of a picture.
struct PictureRegion: Equatable {
  static let blocksAcross = 8
  static let blockCount = blocksAcross * blocksAcross

  /// Indices of blocks, row by row; at least one.
  private(set) var blocks: [Int]

  static let all = PictureRegion(blocks: Array(0..<blockCount))

  private init(blocks: [Int]) { self.blocks = blocks }

  /// Where a clip moves, when that is in less than a quarter of the picture: a still with a flickering light
  /// would drown in the rest. Otherwise the whole picture.
  ///
  /// - Parameter steps: what each block differs from frame to frame, one list a step.
  init(movingIn steps: [[Float]]) {
    // A block moves that changes by more than a code value in a tenth of the steps.
    let moving = (0..<Self.blockCount).filter { block in
      let changes = steps.map { $0[block] }.sorted()
      return !changes.isEmpty && changes[changes.count * 9 / 10] > 1
    }
    self = moving.isEmpty || moving.count >= Self.blockCount / 4 ? .all : Self(blocks: moving)
  }

  /// The mean of each block of a square plane.
  static func blockMeans(_ plane: [Float], side: Int) -> [Float] {
    let size = side / blocksAcross
    return plane.withUnsafeBufferPointer { plane in
      (0..<blockCount).map { block in
        let corner = block / blocksAcross * size * side + block % blocksAcross * size
        var sum: Float = 0
        for y in 0..<size {
          for x in 0..<size { sum += plane[corner + y * side + x] }
        }
        return sum / Float(size * size)
      }
    }
  }

  /// The mean of the values that belong to these blocks.
  func mean(_ values: [Float]) -> Double {
    Double(blocks.reduce(Float(0)) { $0 + values[$1] }) / Double(blocks.count)
  }

  func mean(_ values: [Double]) -> Double {
    blocks.reduce(0) { $0 + values[$1] } / Double(blocks.count)
  }
}
