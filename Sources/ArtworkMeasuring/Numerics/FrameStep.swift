internal import CKernels

/// Differences between reduced frames.
package enum FrameStep {
  /// The mean absolute difference in 8-bit code values, luma plus half of the chroma mean, of each of 8x8 blocks,
  /// row by row. Takes 1 us.
  package static func blockSteps(_ a: Thumbnail, _ b: Thumbnail) -> [Float] {
    var steps = [Float](repeating: 0, count: PictureRegion.blockCount)
    add(a.luma, b.luma, side: Thumbnail.lumaSide, weight: 1, to: &steps)
    add(a.blue, b.blue, side: Thumbnail.chromaSide, weight: 0.25, to: &steps)
    add(a.red, b.red, side: Thumbnail.chromaSide, weight: 0.25, to: &steps)
    return steps
  }

  /// Mean and standard deviation of the luma.
  package static func statistics(_ frame: Thumbnail) -> (mean: Double, contrast: Double) {
    let spread = frame.luma.withUnsafeBufferPointer {
      artwork_mean_and_variance($0.baseAddress, Int32($0.count))
    }
    return (spread.mean, spread.variance.squareRoot())
  }

  private static func add(
    _ a: [Float], _ b: [Float], side: Int, weight: Float, to steps: inout [Float]
  ) {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        steps.withUnsafeMutableBufferPointer {
          artwork_block_steps(a.baseAddress, b.baseAddress, Int32(side), weight, $0.baseAddress)
        }
      }
    }
  }
}
