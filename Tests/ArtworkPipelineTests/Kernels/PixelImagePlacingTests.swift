import Testing

@testable import ArtworkModel
@testable import ArtworkPipeline

/// Pictures over a colour, against the fraction that they stand for.
@Suite struct PixelImagePlacingTests {
  @Test(
    "each code value over a colour is the nearest whole number, at every alpha",
    arguments: [PixelColor.black, PixelColor(red: 255, green: 1, blue: 128)])
  func over(background: PixelColor) {
    let under = [background.red, background.green, background.blue]
    let size = PixelSize(width: 256, height: 256)
    let bytes = (0..<256).flatMap { alpha in
      (0..<256).flatMap { value in
        [UInt8(value), UInt8(255 - value), UInt8(value), UInt8(alpha)]
      }
    }
    let (image, showsBackground) = PixelImage(size: size, channels: .rgba, bytes: bytes)
      .opaque(over: background)
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
    let opaque = PixelImage(
      size: PixelSize(width: 2, height: 1), channels: .rgba, bytes: [1, 2, 3, 255, 4, 5, 6, 255]
    ).opaque(over: background)
    #expect(opaque.image.bytes == [1, 2, 3, 4, 5, 6] && !opaque.showsBackground)
  }
}
