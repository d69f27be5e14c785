@Suite struct CropMatchingTests {
  /// Random light in 6x6 blocks, by columns that differ.
  private static let picture: PictureSignature = {
    var random = Noise(seed: 9)
    let blocks = (0..<36).map { _ in UInt8(random.next() >> 56) }
    return PictureSignature(
      cells: (0..<24 * 24).flatMap { cell -> [UInt8] in
        let value = blocks[cell / 24 / 4 * 6 + cell % 24 / 4]
        return [value, value, 255 - value]
      })
  }()
  private static let size = PixelSize(width: 960, height: 480)

  @Test("a crop lies where the other picture shows the same", arguments: [0, 120, 400])
  func moved(left: Int) {
    // The square from `left` on: 12 of 24 columns, each shown twice.
    let other = PictureSignature(
      cells: (0..<24 * 24).flatMap { cell -> [UInt8] in
        let column = left / 40 + cell % 24 / 2
        let place = 3 * (cell / 24 * 24 + column)
        return Array(Self.picture.cells[place..<place + 3])
      })
    let middle = CropArea(x: 240, y: 0, width: 480, height: 480)
    let area = middle.moved(in: Self.size, Self.picture, like: other, aspect: 1)
    #expect(abs(area.x - left) <= 40 && area.x.isMultiple(of: 2))
    #expect((area.y, area.width, area.height) == (0, 480, 480))
  }

  @Test func `without anything alike, a crop stays where it is`() {
    var random = Noise(seed: 77)
    let other = PictureSignature(cells: (0..<3 * 24 * 24).map { _ in UInt8(random.next() >> 56) })
    let middle = CropArea(x: 240, y: 0, width: 480, height: 480)
    #expect(middle.moved(in: Self.size, Self.picture, like: other, aspect: 1) == middle)
    let whole = CropArea(x: 0, y: 0, width: 960, height: 480)
    #expect(whole.moved(in: Self.size, Self.picture, like: Self.picture, aspect: 2) == whole)
  }
}
