/// A frame reduced to a few numbers for comparison: luma and two chroma planes in 8-bit code values
/// (0...255, fractions kept), coded orientation, box-averaged over the whole picture.
package struct Thumbnail: Sendable, Equatable {
  /// Cells each way of the detailed luma plane, in which motion is searched.
  package static let detailSide = 128
  /// Cells each way of the luma plane.
  package static let lumaSide = 64
  /// Cells each way of each chroma plane.
  package static let chromaSide = 32

  /// `detailSide * detailSide` values of luma, row by row.
  package let detail: [Float]
  /// `lumaSide * lumaSide` values: the means of 2x2 cells of `detail`.
  package let luma: [Float]
  /// `chromaSide * chromaSide` values each.
  package var blue: [Float]
  package var red: [Float]
  /// The mean absolute difference of luma from its surroundings of 3x3 samples, in code values at the picture's own size.
  package var sharpness: Float

  package init(detail: [Float], blue: [Float], red: [Float], sharpness: Float = 0) {
    precondition(detail.count == Self.detailSide * Self.detailSide, "a thumbnail has a fixed shape")
    precondition(
      blue.count == Self.chromaSide * Self.chromaSide && red.count == blue.count,
      "a thumbnail has a fixed shape")
    self.detail = detail
    luma = Self.halved(detail)
    self.blue = blue
    self.red = red
    self.sharpness = sharpness
  }

  /// - Parameter share: of the other frame, from 0 to 1.
  package func mixed(with other: Thumbnail, share: Float) -> Thumbnail {
    func mix(_ one: [Float], _ other: [Float]) -> [Float] {
      zip(one, other).map { $0 + share * ($1 - $0) }
    }
    return Thumbnail(
      detail: mix(detail, other.detail), blue: mix(blue, other.blue), red: mix(red, other.red))
  }

  private static func halved(_ detail: [Float]) -> [Float] {
    var cells: [Float] = []
    cells.reserveCapacity(lumaSide * lumaSide)
    for y in 0..<lumaSide {
      for x in 0..<lumaSide {
        let corner = 2 * y * detailSide + 2 * x
        let above = detail[corner] + detail[corner + 1]
        let below = detail[corner + detailSide] + detail[corner + detailSide + 1]
        cells.append((above + below) / 4)
      }
    }
    return cells
  }
}
