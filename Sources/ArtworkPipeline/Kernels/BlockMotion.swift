internal import CKernels

/// The luma of a thumbnail, ready for the search of block motion.
struct MotionPicture {
  fileprivate let samples: [Int16]

  init(_ frame: Thumbnail) {
    samples = [Int16](unsafeUninitializedCapacity: ARTWORK_MOTION_SAMPLES) {
      buffer, used in
      frame.luma.withUnsafeBufferPointer {
        artwork_motion_prepare($0.baseAddress, buffer.baseAddress)
      }
      used = buffer.count
    }
  }
}

/// How 8x8 blocks of a thumbnail moved from one frame to the next. Blocks go row by row, 8 rows of 8.
struct BlockMotion {
  private let vectors: [artwork_motion_vector]

  /// For each block of `to`, the place in `from` that it looks most like, within 8 pixels of the
  /// thumbnail each way and to fractions of a pixel. Takes 0.17 ms.
  init(from: MotionPicture, to: MotionPicture) {
    vectors = [artwork_motion_vector](unsafeUninitializedCapacity: PictureRegion.blockCount) {
      buffer, used in
      artwork_motion_search(from.samples, to.samples, buffer.baseAddress)
      used = buffer.count
    }
  }

  private init(vectors: [artwork_motion_vector]) { self.vectors = vectors }

  /// Pixels of the thumbnail to the right and down.
  var displacements: [(x: Float, y: Float)] { vectors.map { ($0.dx, $0.dy) } }

  /// The mean absolute difference of each block to its place at whole pixels, in code values.
  var errors: [Float] { vectors.map(\.error) }

  /// The same motion over a time `factor` as long, no farther than blocks are searched.
  func scaled(by factor: Float) -> BlockMotion {
    let reach = Float(ARTWORK_MOTION_REACH)
    return BlockMotion(
      vectors: vectors.map { vector in
        var longer = vector
        longer.dx = min(reach, max(-reach, vector.dx * factor))
        longer.dy = min(reach, max(-reach, vector.dy * factor))
        return longer
      })
  }

  /// How each block of `next` differs from the place in `current` that it came from if it moved like this: mean
  /// absolute differences in code values. Takes 0.02 ms.
  func misses(from current: MotionPicture, to next: MotionPicture) -> [Float] {
    [Float](unsafeUninitializedCapacity: PictureRegion.blockCount) { buffer, used in
      artwork_motion_misses(current.samples, next.samples, vectors, buffer.baseAddress)
      used = buffer.count
    }
  }
}
