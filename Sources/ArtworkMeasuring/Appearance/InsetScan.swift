/// Searches a tall picture for a square with an outline. Takes about a millisecond.
struct InsetScan {
  /// Less is not worth the name of a variant: as wide as high, nearly.
  private static let leastRatio = 1.15
  /// How far the square may be from the sides, in shares of the width.
  private static let margin = 0.25
  /// Code values between two pixels.
  private static let jump: Float = 5

  private let width: Int
  private let height: Int
  private let luma: [Float]
  /// Running counts along each row, or column, of the samples before which luma jumps.
  private var rows: [Int32]
  private var columns: [Int32]

  /// - Parameter picture: upright, with square pixels.
  /// - Returns: `nil` for a picture that is not tall, or smaller than a thumbnail.
  init?(_ picture: PixelImage) {
    (width, height) = (picture.size.width, picture.size.height)
    guard width >= 64, Double(height) >= Self.leastRatio * Double(width) else { return nil }
    luma = picture.luma
    rows = Self.jumps(luma, lines: height, along: width, next: width, step: 1)
    columns = Self.jumps(luma, lines: width, along: height, next: 1, step: width)
  }

  /// - Parameters:
  ///   - next: how far the sample of the next line is; step: the next sample of the line.
  private static func jumps(
    _ luma: [Float], lines: Int, along: Int, next: Int, step: Int
  ) -> [Int32] {
    var sums = [Int32](repeating: 0, count: lines * (along + 1))
    for line in 3..<max(3, lines - 3) {
      var count: Int32 = 0
      for sample in 0..<along {
        let place = line * next + sample * step
        let before = luma[place - next]
        let after = luma[place + next]
        // Scaling may leave one mixed line between the two sides.
        let change = max(abs(after - before), abs(luma[place] - before))
        let calm = max(abs(before - luma[place - 3 * next]), abs(luma[place + 3 * next] - after))
        count += change > jump && change > 1.5 * calm ? 1 : 0
        sums[line * (along + 1) + sample + 1] = count
      }
    }
    return sums
  }

  /// The share of a line's part that jumps, at the line or one beside it; infinite at the border of the picture.
  private func share(
    _ sums: [Int32], _ line: Int, of lines: Int, _ from: Int, _ to: Int, along: Int
  ) -> Double {
    guard line > 2, line < lines - 2 else { return .infinity }
    var most: Int32 = 0
    for near in line - 1...line + 1 {
      most = max(most, sums[near * (along + 1) + to] - sums[near * (along + 1) + from])
    }
    return Double(most) / Double(max(1, to - from))
  }

  func best() -> Inset {
    var best = (outline: 0.0, left: 0, top: (height - width) / 2)
    let most = wholeNumber((Self.margin * Double(width)).rounded(.down)) ?? 0
    for left in 0...most where left == 0 || left > 3 {
      let side = width - 2 * left
      for top in 0...height - side {
        let outline = min(
          share(rows, top, of: height, left, left + side, along: width),
          share(rows, top + side, of: height, left, left + side, along: width),
          share(columns, left, of: width, top, top + side, along: height),
          share(columns, left + side, of: width, top, top + side, along: height))
        if outline > best.outline, outline.isFinite { best = (outline, left, top) }
      }
    }
    let side = width - 2 * best.left
    return Inset(
      left: Double(best.left) / Double(width), side: Double(side) / Double(width),
      top: Double(best.top) / Double(height), outline: best.outline,
      surroundings: surroundings(left: best.left, top: best.top, side: side),
      mirroring: mirroring())
  }

  /// Means of differences along rows, without the outline.
  private func surroundings(left: Int, top: Int, side: Int) -> Double {
    var inside = (sum: Float(0), count: 0)
    var outside = inside
    for y in 0..<height {
      for x in 0..<width - 1 {
        let change = abs(luma[y * width + x + 1] - luma[y * width + x])
        if y >= top, y < top + side, x >= left, x < left + side - 1 {
          inside = (inside.sum + change, inside.count + 1)
        } else if y < top - 3 || y >= top + side + 3 || x < left - 3 || x >= left + side + 3 {
          outside = (outside.sum + change, outside.count + 1)
        }
      }
    }
    let least = 0.1
    return Double(outside.sum) / Double(max(1, outside.count))
      / (Double(inside.sum) / Double(max(1, inside.count)) + least)
  }

  /// The mirroring at the best of a few places about the middle.
  private func mirroring() -> Double {
    let middle = (height - width) / 2
    return (middle - 6...middle + 6).map { top -> Double in
      let depth = min(top, height - top - width)
      guard depth >= 8 else { return 0 }
      return min(reflection(at: top, depth), reflection(at: top + width, depth))
    }.max() ?? 0
  }

  /// The correlation of so many rows above a line with those below it, from the line outwards.
  private func reflection(at line: Int, _ depth: Int) -> Double {
    var (above, below, squaresAbove, squaresBelow, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for row in 0..<depth {
      for x in 0..<width {
        let a = Double(luma[(line - 1 - row) * width + x])
        let b = Double(luma[(line + row) * width + x])
        above += a
        below += b
        squaresAbove += a * a
        squaresBelow += b * b
        product += a * b
      }
    }
    let count = Double(depth * width)
    let spread = (squaresAbove - above * above / count) * (squaresBelow - below * below / count)
    // A plain colour does not count as a reflection.
    guard spread > 16 * count * count else { return 0 }
    return (product - above * below / count) / spread.squareRoot()
  }
}
