import CKernels

/// Pictures over a colour, against the fraction that they stand for.
@Suite struct PixelImagePlacingTests {
  @Test(arguments: [PixelColor.black, PixelColor(red: 255, green: 1, blue: 128)])
  func `each code value over a colour is the nearest whole number, at every alpha`(background: PixelColor) {
    let under = [background.red, background.green, background.blue]
    let size = PixelSize(width: 256, height: 256)
    var bytes: [UInt8] = []
    for alpha in UInt8.min...UInt8.max { for value in UInt8.min...UInt8.max { bytes += [value, ~value, value, alpha] } }
    let (image, showsBackground) = PixelImage(size: size, channels: .rgba, bytes: bytes).opaque(over: background)
    #expect(showsBackground)
    var wrong = 0
    for pixel in 0..<size.area {
      let alpha = Double(bytes[4 * pixel + 3]) / 255
      for channel in 0..<3 {
        let value = Double(bytes[4 * pixel + channel])
        let exact = value * alpha + Double(under[channel]) * (1 - alpha)
        if image.bytes[3 * pixel + channel] != UInt8(exact.rounded()) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    let opaque = PixelImage(size: PixelSize(width: 2, height: 1), channels: .rgba, bytes: [1, 2, 3, 255, 4, 5, 6, 255]).opaque(
      over: background)
    #expect(opaque.image.bytes == [1, 2, 3, 4, 5, 6] && !opaque.showsBackground)
  }

  @Test func `undoing premultiplied alpha is exact for every value and alpha`() {
    let pairs = (0..<65536).map { (value: UInt32($0 & 255), alpha: UInt32($0 >> 8)) }
    var pixels = pairs.map { value, alpha in alpha << 24 | value << 16 | (255 - value) << 8 | value / 2 }
    unsafe artwork_straight(&pixels, pixels.count)
    func plain(_ value: UInt32, _ alpha: UInt32) -> UInt32 { alpha == 0 ? 0 : min(255, (255 * value + alpha / 2) / alpha) }
    let wrong = zip(pairs, pixels).filter { pair, pixel in
      let (red, green) = (plain(pair.value, pair.alpha), plain(255 - pair.value, pair.alpha))
      return pixel != pair.alpha << 24 | plain(pair.value / 2, pair.alpha) << 16 | green << 8 | red
    }
    #expect(wrong.isEmpty, "\(wrong.count) pixels")
  }
}
