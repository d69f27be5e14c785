import TestSupport
import Testing

@testable import ArtworkCore
@testable import ArtworkPipeline

@Suite struct PictureLikenessTests {
  private static let aspects = [1, 0.75, 2048.0 / 2732, 0.5625, 1.7778, 0.4, 3]

  /// Rectangles of colour on a ground, with some noise: similar to frames at this size.
  private static func picture(seed: UInt64) -> PictureSignature {
    var noise = Noise(seed: seed)
    let side = PictureSignature.side
    func number(_ limit: Int) -> Int { Int(noise.next() >> 33) % limit }
    func color() -> [Int] { [number(256), number(256), number(256)] }
    var colors = [[Int]](repeating: color(), count: side * side)
    for _ in 0..<number(8) {
      let (color, left, top) = (color(), number(side), number(side))
      for y in top..<min(side, top + 1 + number(side)) {
        for x in left..<min(side, left + 1 + number(side)) { colors[y * side + x] = color }
      }
    }
    let grain = 1 + number(40)
    return PictureSignature(
      cells: colors.flatMap { $0.map { UInt8(clamping: $0 + number(grain)) } })
  }

  /// A picture, and the same zoomed, graded and with other noise.
  private static func relatives(seed: UInt64) -> (PictureSignature, PictureSignature) {
    let one = picture(seed: seed)
    let side = PictureSignature.side
    let other = (0..<side * side).flatMap { place -> [UInt8] in
      let (x, y) = (2 + place % side * 5 / 6, 1 + place / side * 5 / 6)
      return (0..<3).map { UInt8(clamping: Int(one.cells[3 * (y * side + x) + $0]) * 9 / 10 + 12) }
    }
    return (one, PictureSignature(cells: other))
  }

  @Test("the kernel finds what the slow form finds, in pictures of all shapes")
  func slowForm() {
    for seed in UInt64(1)...(Nightly.isOn ? 60 : 20) {
      let pairs = [
        (Self.picture(seed: seed), Self.picture(seed: seed + 1000)), Self.relatives(seed: seed),
      ]
      let aspect = Self.aspects[Int(seed) % Self.aspects.count]
      for (one, other) in pairs {
        let slow = SlowLikeness.of(one, aspect: 1, other, aspect: aspect)
        let quick = PictureLikeness.of(one, aspect: 1, other, aspect: aspect)
        #expect(abs(slow - quick) < 1e-5, "\(seed): \(slow), \(quick)")
      }
    }
  }

  @Test("plain pictures are compared like the slow form does, too")
  func plain() {
    let count = 3 * PictureSignature.side * PictureSignature.side
    for (one, other) in [(0, 0), (0, 255), (16, 17), (255, 255)] as [(UInt8, UInt8)] {
      let (first, second) = (
        PictureSignature(cells: Array(repeating: one, count: count)),
        PictureSignature(cells: Array(repeating: other, count: count))
      )
      let slow = SlowLikeness.of(first, aspect: 1, second, aspect: 0.75)
      #expect(abs(slow - PictureLikeness.of(first, aspect: 1, second, aspect: 0.75)) < 1e-5)
    }
  }

  @Test("a search that is ended early judges a limit equally, and below it the same number")
  func enough() {
    for seed in UInt64(1)...60 {
      for (one, other) in [
        (Self.picture(seed: seed), Self.picture(seed: seed + 1000)), Self.relatives(seed: seed),
      ] {
        let best = PictureLikeness.of(one, aspect: 0.75, other, aspect: 1)
        for limit in [0.3, 0.65, 0.85, best] {
          let found = PictureLikeness.of(one, aspect: 0.75, other, aspect: 1, enough: limit)
          #expect(best < limit ? found == best : found >= limit)
        }
      }
    }
  }
}
