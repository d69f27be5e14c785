@testable import ArtworkMeasuring

@Suite struct SeamPictureTests {
  /// A grey picture with a bright block at one of 8x8 places.
  static func picture(_ width: Int, _ height: Int, block: (x: Int, y: Int)? = nil) -> PixelImage {
    var canvas = Canvas(size: PixelSize(width: width, height: height), fill: DrawingColor(60, 60, 60))
    if let block {
      canvas.fill(
        PixelRectangle(x: block.x * width / 8, y: block.y * height / 8, width: width / 8, height: height / 8),
        DrawingColor(250, 250, 250))
    }
    return canvas.image
  }

  @Test(arguments: [(1, 3), (7, 5), (240, 320)], [1, 3])
  func `a strip has the last frames, a gap, and the first ones, each as wide as it is`(_ size: (Int, Int), _ count: Int) {
    let (last, first) = (Self.picture(size.0, size.1), Self.picture(size.0, size.1, block: (0, 0)))
    let strip = SeamStrip.draw(last: Array(repeating: last, count: count), first: Array(repeating: first, count: count), gap: 2)
    #expect(strip.size == PixelSize(width: 2 * count * size.0 + 2, height: size.1))
    func row(_ picture: PixelImage) -> [UInt8] { (0..<count).flatMap { _ in picture.bytes.prefix(picture.bytesPerRow) } }
    let expected = row(last) + [UInt8](repeating: 0, count: 6) + row(first)
    #expect(Array(strip.bytes.prefix(strip.bytesPerRow)) == expected)
  }

  @Test func `heat rises evenly: lighter colours for larger differences`() {
    let shades = (0...64).map { HeatMap.drawingColor(Double($0) / 64) }
    let luma = shades.map { 0.2126 * Double($0.red) + 0.7152 * Double($0.green) + 0.0722 * Double($0.blue) }
    #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 })
    // Noise is dark, whatever its relative size is.
    let quiet = HeatMap.draw(Self.picture(8, 8), Self.picture(8, 8))
    #expect(quiet.image.bytes == (0..<64).flatMap { _ in [UInt8(0), 0, 4] })
  }

  @Test func `drawing outside of the canvas is cut off`() {
    var canvas = Canvas(size: PixelSize(width: 4, height: 3))
    canvas.fill(PixelRectangle(x: -5, y: -5, width: 100, height: 6), .mark)
    canvas.fill(PixelRectangle(x: 9, y: 9, width: 3, height: 3), .mark)
    canvas.blit(Self.picture(9, 9), x: 2, y: 2)
    #expect(canvas[0, 0] == .mark && canvas[3, 0] == .mark && canvas[0, 1] == .background)
    #expect(canvas[2, 2] == DrawingColor(60, 60, 60) && canvas[1, 2] == .background)
  }
}
