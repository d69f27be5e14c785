/// Pictures as planes of Y'CbCr, against the equations of BT.709.
@Suite struct CodedPictureTests {
  private static let size = PixelSize(width: 37, height: 23)

  private static func picture(_ channels: PixelImage.Channels) -> PixelImage {
    var noise = Noise(seed: 9)
    var bytes = (0..<size.area * channels.rawValue).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 40) }
    // Black, white and the primaries are at the ends of the ranges.
    let corners: [[UInt8]] = [
      [0, 0, 0, 255], [255, 255, 255, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 0],
    ]
    bytes.replaceSubrange(0..<corners.count * channels.rawValue, with: corners.flatMap { $0.prefix(channels.rawValue) })
    return PixelImage(size: size, channels: channels, bytes: bytes)
  }

  @Test(arguments: [PixelImage.Channels.rgb, .rgba])
  func `each sample is the nearest whole number`(channels: PixelImage.Channels) {
    let picture = Self.picture(channels)
    unsafe CodedPicture(picture).withPlanes { planes in
      unsafe #expect(planes.bitDepth == 8)
      let all = unsafe [planes.luma, planes.blue, planes.red]
      for index in unsafe all.indices {
        let plane = unsafe all[index]
        unsafe #expect(PixelSize(width: plane.width, height: plane.height) == Self.size)
      }
      var worst = 0.0
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let place = y * picture.bytesPerRow + x * channels.rawValue
          let alpha = channels == .rgba ? Double(picture.bytes[place + 3]) / 255 : 1
          let rgb = (0..<3).map { (Double(picture.bytes[place + $0]) * alpha).rounded() / 255 }
          let light = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
          let expected = [16 + 219 * light, 128 + 224 * (rgb[2] - light) / 1.8556, 128 + 224 * (rgb[0] - light) / 1.5748]
          let all = unsafe [planes.luma, planes.blue, planes.red]
          for (index, value) in unsafe zip(all.indices, expected) {
            let plane = unsafe all[index]
            let sample = unsafe plane.start.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self)
            worst = max(worst, abs(Double(sample) - value))
          }
        }
      }
      #expect(worst < 0.51)
    }
  }
}
