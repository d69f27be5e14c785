internal import CKernels

/// Whether two pictures have the same subject, though one may be cropped out of the other, graded differently, or
/// carry a title.
///
/// One is laid over a part of the other, at several sizes and positions, and compared in three ways: light and dark
/// (correlation of luma), edges (correlation of luma gradients), and the distribution of colours. The best position
/// counts. docs/measurements.md has the accuracy on labelled pairs.
package enum PictureLikeness {
  /// The likeness, from about 0 (nothing in common) to 1 (the same picture). Takes 0.1 ms, less if `enough` ends the
  /// search.
  ///
  /// - Parameters:
  ///   - aspect, otherAspect: width over height of the pictures, positive.
  ///   - enough: the search ends at the first position with this likeness. A result below it is the likeness at the
  ///     best position.
  ///   - isQuick: tries one position, the largest part in the middle: a fiftieth of the time.
  package static func of(
    _ one: PictureSignature, aspect: Double, _ other: PictureSignature, aspect otherAspect: Double,
    enough: Double = .infinity, isQuick: Bool = false
  ) -> Double {
    Double(
      artwork_likeness(
        one.cells, Float(aspect), other.cells, Float(otherAspect), enough, isQuick))
  }
}

extension PictureSignature {
  /// Whether there is enough contrast to compare: other rules report a frame of one colour, or a faded one.
  package var hasContrast: Bool { lumaDeviation > 4 }

  /// The standard deviation of luma, in code values.
  private var lumaDeviation: Double {
    let luma = luma
    let mean = luma.reduce(0, +) / Float(luma.count)
    let squares = luma.reduce(Float(0)) { sum, value in sum + (value - mean) * (value - mean) }
    return Double((squares / Float(luma.count)).squareRoot())
  }

  /// Luma of each cell in code values, by the weights of BT.709.
  package var luma: [Float] {
    stride(from: 0, to: cells.count, by: 3).map { place -> Float in
      let red = Float(cells[place])
      let green = Float(cells[place + 1])
      let blue = Float(cells[place + 2])
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
  }
}
