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
    return PictureSignature(cells: colors.flatMap { $0.map { UInt8(clamping: $0 + number(grain)) } })
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

  @Test func `the kernel finds what the plain form finds, in pictures of all shapes`() throws {
    let count = 3 * PictureSignature.side * PictureSignature.side
    for value in try GoldenValue.all("likeness") {
      let numbers = value.scene.split(separator: "/").compactMap { UInt64($0) }
      let pair =
        switch value.place {
        case "other": (Self.picture(seed: numbers[0]), Self.picture(seed: numbers[0] + 1000))
        case "relative": Self.relatives(seed: numbers[0])
        default:
          (
            PictureSignature(cells: Array(repeating: UInt8(numbers[0]), count: count)),
            PictureSignature(cells: Array(repeating: UInt8(numbers[1]), count: count))
          )
        }
      let found = PictureLikeness.of(pair.0, aspect: 1, pair.1, aspect: Self.aspect(value))
      #expect(abs(found - value.y) < 1e-5, "\(value)")
    }
  }

  /// The file has rounded ones.
  private static func aspect(_ value: GoldenValue) -> Double { aspects.min { abs($0 - value.x) < abs($1 - value.x) } ?? 1 }

  @Test func `a search that is ended early judges a limit equally, and below it the same number`() {
    for seed in UInt64(1)...60 {
      for (one, other) in [(Self.picture(seed: seed), Self.picture(seed: seed + 1000)), Self.relatives(seed: seed)] {
        let best = PictureLikeness.of(one, aspect: 0.75, other, aspect: 1)
        for limit in [0.3, 0.65, 0.85, best] {
          let found = PictureLikeness.of(one, aspect: 0.75, other, aspect: 1, enough: limit)
          #expect(best < limit ? found == best : found >= limit)
        }
      }
    }
  }
}
