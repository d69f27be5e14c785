@testable import ArtworkPipeline

/// The motion search and the prediction in their plainest form: no tables, no optimised order.
struct SlowFlow {
  struct Vector: Equatable {
    var x: Float
    var y: Float

    func times(_ pace: Float) -> Vector { Vector(x: x * pace, y: y * pace) }
  }

  static let (side, half, block, across, reach) = (128, 64, 8, 16, 8)

  let current: [Float]
  let reference: [Float]
  private let smallCurrent: [Float]
  private let smallReference: [Float]

  /// - Parameters:
  ///   - current, reference: 128 rows of as many values.
  init(of current: [Float], from reference: [Float]) {
    (self.current, self.reference) = (current, reference)
    (smallCurrent, smallReference) = (Self.halved(current), Self.halved(reference))
  }

  private static func halved(_ detail: [Float]) -> [Float] {
    (0..<half * half).map { index in
      let corner = 2 * (index / half) * side + 2 * (index % half)
      return
        (detail[corner] + detail[corner + 1] + detail[corner + side]
        + detail[corner + side + 1]) / 4
    }
  }

  private static func clamped(_ place: Int, _ length: Int) -> Int {
    min(length - 1, max(0, place))
  }

  /// Positions outside the current picture are mirrored, with the border repeated.
  private static func mirrored(_ place: Int, _ length: Int) -> Int {
    place < 0 ? -1 - place : place >= length ? 2 * length - 1 - place : place
  }

  /// Where the block is found: the whole pixel of the halved pictures whose window of 8x8 differs least, every pixel of
  /// its length counting as 0.3 squared code values; then steps of 1, 1/2 and 1/4 pixel at full size.
  func vector(of number: Int) -> Vector {
    let (row, column) = (number / Self.across, number % Self.across)
    var least = Float.infinity
    var best = (x: 0, y: 0)
    smallCurrent.withUnsafeBufferPointer { current in
      smallReference.withUnsafeBufferPointer { reference in
        for dy in -Self.reach...Self.reach {
          for dx in -Self.reach...Self.reach {
            var sum: Float = 0
            for y in 4 * row - 2..<4 * row + 6 {
              for x in 4 * column - 2..<4 * column + 6 {
                let (ownX, ownY) = (Self.mirrored(x, Self.half), Self.mirrored(y, Self.half))
                let (fromX, fromY) = (
                  Self.clamped(ownX + dx, Self.half), Self.clamped(ownY + dy, Self.half)
                )
                let d = current[ownY * Self.half + ownX] - reference[fromY * Self.half + fromX]
                sum += d * d
              }
            }
            let cost = sum + 64 * 0.3 * Float(abs(dx) + abs(dy))
            if cost < least { (least, best) = (cost, (dx, dy)) }
          }
        }
      }
    }
    var found = Vector(x: Float(2 * best.x), y: Float(2 * best.y))
    var error = self.error(of: number, at: found)
    for step: Float in [1, 0.5, 0.25] {
      let middle = found
      for dy: Float in [-1, 0, 1] {
        for dx: Float in [-1, 0, 1] where dx != 0 || dy != 0 {
          let tried = Vector(x: middle.x + step * dx, y: middle.y + step * dy)
          let other = self.error(of: number, at: tried)
          if other < error - 0.001 { (error, found) = (other, tried) }
        }
      }
    }
    return found
  }

  /// The values of the reference where the vector points to from a block.
  func moved(_ number: Int, by vector: Vector) -> [Float] {
    let (row, column) = (number / Self.across, number % Self.across)
    return reference.withUnsafeBufferPointer { reference in
      (0..<Self.block * Self.block).map { index in
        let x = Float(column * Self.block + index % Self.block) + vector.x
        let y = Float(row * Self.block + index / Self.block) + vector.y
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (fx, fy) = (x - Float(left), y - Float(top))
        func value(_ x: Int, _ y: Int) -> Float {
          reference[Self.clamped(y, Self.side) * Self.side + Self.clamped(x, Self.side)]
        }
        let above = (1 - fx) * value(left, top) + fx * value(left + 1, top)
        let below = (1 - fx) * value(left, top + 1) + fx * value(left + 1, top + 1)
        return (1 - fy) * above + fy * below
      }
    }
  }

  func target(_ number: Int) -> [Float] {
    let corner = number / Self.across * Self.block * Self.side + number % Self.across * Self.block
    return (0..<Self.block * Self.block).map {
      current[corner + $0 / Self.block * Self.side + $0 % Self.block]
    }
  }

  /// The mean squared difference of a block from where a vector points, under a gain and an offset.
  func error(of number: Int, at vector: Vector, gain: Float = 1, offset: Float = 0) -> Float {
    zip(target(number), moved(number, by: vector)).reduce(0) { sum, pair in
      let d = pair.0 - (gain * pair.1 + offset)
      return sum + d * d
    } / Float(Self.block * Self.block)
  }

  /// See `Flow.errors`: the best of the block's own vector, those of the eight around it, four at distance two, or
  /// none, under the gain and the offset that fit the whole picture.
  func errors(vectors: [Vector], pace: Float = 1) -> [Float] {
    let blocks = 0..<Self.across * Self.across
    let near =
      [(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2)]
      + (-1...1).flatMap { y in (-1...1).map { (y, $0) } }.filter { $0 != (0, 0) }
    let first = tone(vectors.map { $0.times(pace) })
    let chosen = blocks.map { number -> Vector in
      let candidates = near.map { dy, dx in
        let row = Self.clamped(number / Self.across + dy, Self.across)
        let column = Self.clamped(number % Self.across + dx, Self.across)
        return vectors[row * Self.across + column].times(pace)
      }
      return (candidates + [Vector(x: 0, y: 0)]).map {
        ($0, error(of: number, at: $0, gain: first.gain, offset: first.offset))
      }.min { $0.1 < $1.1 }?.0 ?? Vector(x: 0, y: 0)
    }
    let second = tone(chosen)
    return blocks.map {
      error(of: $0, at: chosen[$0], gain: second.gain, offset: second.offset)
    }
  }

  /// The gain from 0.8 to 1.25 and the offset that bring the moved picture nearest to the current one.
  private func tone(_ vectors: [Vector]) -> (gain: Float, offset: Float) {
    let moved = vectors.indices.flatMap { self.moved($0, by: vectors[$0]) }.map(Double.init)
    let target = vectors.indices.flatMap { self.target($0) }.map(Double.init)
    let count = Double(moved.count)
    let (one, other) = (moved.reduce(0, +) / count, target.reduce(0, +) / count)
    var (spread, common) = (0.0, 0.0)
    for (a, b) in zip(moved, target) {
      spread += (a - one) * (a - one)
      common += (a - one) * (b - other)
    }
    let gain = min(1.25, max(0.8, common / (spread + 64)))
    return (Float(gain), Float(other - gain * one))
  }
}
