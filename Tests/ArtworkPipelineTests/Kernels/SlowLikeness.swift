@testable import ArtworkCore
@testable import ArtworkPipeline

/// The same computation as ``PictureLikeness``, one cell after another: the reference that the kernel is tested
/// against.
enum SlowLikeness {
  /// Shares of the three ways, chosen on the tuning half of the labelled pairs.
  private static let (lumaShare, edgeShare, colorShare) = (Float(0.35), Float(0.3), Float(0.35))
  /// How much of a picture is laid on the other, each way.
  private static let scales: [Float] = [1, 0.92, 0.85, 0.75]
  /// Places tried each way.
  private static let places = 3
  /// Contrast in code values below which there is nothing to compare: rounding and noise.
  private static let noise: Float = 1

  private static let side = PictureSignature.side

  /// From about 0 (nothing in common) to 1 (the same picture).
  ///
  /// - Parameters:
  ///   - aspect, otherAspect: width over height of the pictures, positive.
  static func of(
    _ one: PictureSignature, aspect: Double, _ other: PictureSignature, aspect otherAspect: Double
  ) -> Double {
    let (first, second) = (Planes(one), Planes(other))
    let (a, b) = (Float(aspect), Float(otherAspect))
    return Double(max(best(first, on: second, ratio: b / a), best(second, on: first, ratio: a / b)))
  }

  /// The best likeness of a part of `picture` to the whole of `target`.
  ///
  /// - Parameter ratio: the target's aspect over the picture's.
  private static func best(_ picture: Planes, on target: Planes, ratio: Float) -> Float {
    let whole = Float(side)
    let (width, height) = ratio > 1 ? (whole, whole / ratio) : (whole * ratio, whole)
    let edges = target.edges
    var best: Float = -1
    for scale in scales {
      let (w, h) = (width * scale, height * scale)
      for x in offsets(whole - w) {
        for y in offsets(whole - h) {
          let part = picture.part(x: x, y: y, width: w, height: h)
          let likeness =
            lumaShare * part.lumaCorrelation(with: target)
            + edgeShare * correlation(part.edges, edges, floor: noise)
            + colorShare * part.colorLikeness(to: target)
          best = max(best, likeness)
        }
      }
    }
    return best
  }

  private static func offsets(_ free: Float) -> [Float] {
    free < 0.5
      ? [free / 2] : (0..<places).map { free * Float($0) / Float(places - 1) }
  }

  /// Of two series about zero; `floor` is a deviation that means nothing.
  private static func correlation(_ one: [Float], _ other: [Float], floor: Float) -> Float {
    var (product, square, otherSquare): (Float, Float, Float) = (0, 0, 0)
    for index in one.indices {
      product += one[index] * other[index]
      square += one[index] * one[index]
      otherSquare += other[index] * other[index]
    }
    return product / ((square * otherSquare).squareRoot() + floor * floor * Float(one.count))
  }

  /// A picture as luma and two colour differences (BT.709), row by row.
  private struct Planes {
    var luma: [Float]
    var blue: [Float]
    var red: [Float]

    init(_ signature: PictureSignature) {
      let luma = SlowLikeness.luma(signature)
      self.luma = luma
      blue = luma.indices.map { (Float(signature.cells[3 * $0 + 2]) - luma[$0]) / 1.8556 }
      red = luma.indices.map { (Float(signature.cells[3 * $0]) - luma[$0]) / 1.5748 }
    }

    /// A rectangle in cells, stretched to the whole (bilinear).
    func part(x: Float, y: Float, width: Float, height: Float) -> Planes {
      let columns = Self.samples(from: x, over: width)
      let rows = Self.samples(from: y, over: height)
      var part = self
      var index = 0
      for row in rows {
        for column in columns {
          let corner = row.cell * side + column.cell
          let below = row.next * side
          for plane in [\Planes.luma, \.blue, \.red] {
            let values = self[keyPath: plane]
            let top =
              values[corner]
              + (values[row.cell * side + column.next] - values[corner]) * column.share
            let bottom =
              values[below + column.cell]
              + (values[below + column.next] - values[below + column.cell]) * column.share
            part[keyPath: plane][index] = top + (bottom - top) * row.share
          }
          index += 1
        }
      }
      return part
    }

    private static func samples(
      from start: Float, over length: Float
    ) -> [(cell: Int, next: Int, share: Float)] {
      (0..<side).map { number in
        let place = start + (Float(number) + 0.5) * length / Float(side) - 0.5
        let inside = max(0, min(Float(side - 1), place))
        let cell = Int(inside)
        return (cell, min(cell + 1, side - 1), inside - Float(cell))
      }
    }

    /// Differences to the right and down.
    var edges: [Float] {
      var edges: [Float] = []
      edges.reserveCapacity(2 * (side - 1) * (side - 1))
      for y in 0..<side - 1 {
        for x in 0..<side - 1 {
          let place = y * side + x
          edges.append(luma[place + 1] - luma[place])
          edges.append(luma[place + side] - luma[place])
        }
      }
      return edges
    }

    func lumaCorrelation(with other: Planes) -> Float {
      func centred(_ values: [Float]) -> [Float] {
        let mean = values.reduce(0, +) / Float(values.count)
        return values.map { $0 - mean }
      }
      return correlation(centred(luma), centred(other.luma), floor: noise)
    }

    /// 1 for the same colours at the same places; grey is like grey.
    func colorLikeness(to other: Planes) -> Float {
      var (product, squares): (Float, Float) = (0, 0)
      for index in blue.indices {
        product += blue[index] * other.blue[index] + red[index] * other.red[index]
        squares += blue[index] * blue[index] + red[index] * red[index]
        squares += other.blue[index] * other.blue[index] + other.red[index] * other.red[index]
      }
      let floor = noise * noise * Float(2 * blue.count)
      return (2 * product + floor) / (squares + floor)
    }
  }
}

extension SlowLikeness {
  /// Of each cell in code values, by the weights of BT.709.
  private static func luma(_ signature: PictureSignature) -> [Float] {
    let cells = signature.cells
    return stride(from: 0, to: cells.count, by: 3).map { place -> Float in
      let red = Float(cells[place])
      let green = Float(cells[place + 1])
      let blue = Float(cells[place + 2])
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
  }
}
