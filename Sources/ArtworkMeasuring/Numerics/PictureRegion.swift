/// Some of the 8x8 blocks of a picture.
package struct PictureRegion: Equatable {
  static let blocksAcross = 8
  static let blockCount = blocksAcross * blocksAcross

  /// Indices of blocks, row by row; at least one.
  private(set) var blocks: [Int]

  package static let all = PictureRegion(blocks: Array(0..<blockCount))

  private init(blocks: [Int]) { self.blocks = blocks }

  /// The moving region of a clip, if it is less than a quarter of the picture: in a still with a flickering light,
  /// the light would drown in the rest. Otherwise the whole picture.
  ///
  /// - Parameter steps: the difference of each block from frame to frame, one list per step.
  package init(movingIn steps: [[Float]]) {
    // A block moves that changes by more than a code value in a tenth of the steps.
    let moving = (0..<Self.blockCount).filter { block in
      let changes = steps.map { $0[block] }.sorted()
      return !changes.isEmpty && changes[changes.count * 9 / 10] > 1
    }
    self = moving.isEmpty || moving.count >= Self.blockCount / 4 ? .all : Self(blocks: moving)
  }

  /// The mean of the values that belong to these blocks.
  package func mean(_ values: [Float]) -> Double {
    Double(blocks.reduce(Float(0)) { $0 + values[$1] }) / Double(blocks.count)
  }

  package func mean(_ values: [Double]) -> Double {
    blocks.reduce(0) { $0 + values[$1] } / Double(blocks.count)
  }
}
