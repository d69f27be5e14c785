/// Soft strips on two opposite sides of a sharp picture: mostly a blurred copy of it, behind one of another shape.
package struct SoftBars: Sendable, Equatable, Codable {
  /// Whether they are above and below the picture, as displayed, and not left and right.
  package var areRows: Bool
  /// Their depth above or left, and below or right, as shares of the side.
  package var first: Double
  package var last: Double
  /// Their fine detail relative to that of the picture between, and to that of the picture beside their edge: the larger one.
  package var detail: Double

  /// Least and most depth as shares of the side; the part beside an edge.
  private enum Reach { static let (least, most, near) = (0.06, 0.45, 1.0 / 6) }
  /// A straight edge: this share of a line changes by more than so many code values from the line before to the one after.
  private static let (straight, jump): (Float, Float) = (0.3, 8)
  /// The least detail of the picture between, and the least deviation of a strip that is not plain, in code values.
  private static let (sharp, uneven): (Float, Float) = (1, 4)
  /// The least detail of the picture near either end of its lines, relative to all of it.
  private static let wide: Float = 0.08

  /// - Parameter picture: upright, at most 256 pixels wide and high. Takes about a millisecond.
  /// - Returns: `nil` for a picture without strips between which there is more detail.
  init?(_ picture: PixelImage) {
    let (width, height) = (picture.size.width, picture.size.height)
    guard min(width, height) >= 64 else { return nil }
    let luma = picture.luma
    let rows = Self(luma, lines: height, along: width, next: width, step: 1)
    let columns = Self(luma, lines: width, along: height, next: 1, step: width)
    guard let best = [rows, columns].compactMap(\.self).min(by: { $0.detail < $1.detail }) else {
      return nil
    }
    self = best
  }

  /// - Parameters:
  ///   - next: how far the sample of the next line is; step: the next sample of the line.
  private init?(_ luma: [Float], lines: Int, along: Int, next: Int, step: Int) {
    // The share of each line that changes from the line before to the one after.
    let edges = (0..<lines).map { line -> Float in
      guard line > 0, line < lines - 1 else { return 0 }
      var jumps = 0
      for place in stride(from: line * next + step, to: line * next + (along - 1) * step, by: step)
      where abs(luma[place + next] - luma[place - next]) > Self.jump { jumps += 1 }
      return Float(jumps) / Float(along - 2)
    }
    func share(_ count: Int, _ part: Double) -> Int { wholeNumber(Double(count) * part) ?? 0 }
    let (least, most) = (max(4, share(lines, Reach.least)), share(lines, Reach.most))
    /// The line with the straightest edge, beyond which there is none.
    func edge(_ places: Range<Int>, beyond: Int) -> Int? {
      func straight(_ line: Int) -> Float { edges[line] - edges[line + beyond] }
      return places.max { straight($0) < straight($1) }
        .flatMap { straight($0) >= Self.straight ? $0 : nil }
    }
    guard let first = edge(least..<most, beyond: -3),
      let last = edge(lines - most..<lines - least, beyond: 3), last - first > lines / 8
    else { return nil }
    // Running sums of each line's detail, mean and square, and of the detail near its start and its end.
    var sums = [SIMD8<Float>.zero]
    for line in 0..<lines {
      var (detail, mean, square) = (Float(0), Float(0), Float(0))
      var ends = SIMD2<Float>.zero
      for sample in 1..<along - 1 {
        let place = line * next + sample * step
        let bend = abs(2 * luma[place] - luma[place - step] - luma[place + step])
        detail += bend
        if sample * 8 < along { ends[0] += bend }
        if (along - sample) * 8 < along { ends[1] += bend }
        mean += luma[place]
        square += luma[place] * luma[place]
      }
      sums.append(
        sums[line] + SIMD8(detail, mean, square, 8 * ends[0], 8 * ends[1], 0, 0, 0)
          / Float(along - 2))
    }
    func mean(_ first: Int, _ end: Int) -> SIMD8<Float> {
      (sums[max(first, end)] - sums[first]) / Float(max(1, end - first))
    }
    let near = share(lines, Reach.near)
    let (before, between, after) = (
      mean(0, first - 1), mean(first + 2, last - 1), mean(last + 2, lines)
    )
    let (firstInside, lastInside) = (
      mean(first + 2, first + 2 + near), mean(max(0, last - 1 - near), last - 1)
    )
    let isUneven = [before, after].allSatisfy {
      max(0, $0[2] - $0[1] * $0[1]).squareRoot() >= Self.uneven
    }
    // A picture reaches both sides; a title on soft ground does not.
    guard between[0] >= Self.sharp, isUneven, min(between[3], between[4]) >= Self.wide * between[0]
    else { return nil }
    self.init(
      areRows: step == 1, first: Double(first) / Double(lines),
      last: 1 - Double(last) / Double(lines),
      detail: Double(
        max(
          max(before[0], after[0]) / (between[0] + 0.2), before[0] / (firstInside[0] + 0.2),
          after[0] / (lastInside[0] + 0.2))))
  }

  package init(areRows: Bool, first: Double, last: Double, detail: Double) {
    (self.areRows, self.first, self.last, self.detail) = (areRows, first, last, detail)
  }
}

extension PixelImage {
  /// The luma of each pixel, in code values.
  var luma: [Float] {
    // Each sum alone: the compiler takes seconds for all of it.
    stride(from: 0, to: bytes.count, by: channels.rawValue).map { place -> Float in
      let red = 0.2126 * Float(bytes[place])
      let green = 0.7152 * Float(bytes[place + 1])
      let blue = 0.0722 * Float(bytes[place + 2])
      return red + green + blue
    }
  }
}
