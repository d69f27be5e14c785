/// The frames around a seam side by side: the last ones, a black gap, the first ones.
package enum SeamStrip {
  /// Frames of each end.
  package static let endCount = 3
  /// Pictures should be reduced to fit inside this size before they are passed in.
  package static let frameSize = PixelSize(width: 240, height: 320)
  private static let gap = 12
  /// No strip of such pictures is larger.
  package static let largest = PixelSize(
    width: 2 * endCount * frameSize.width + gap, height: frameSize.height)

  /// Draws the strip, without transparency.
  ///
  /// - Parameters:
  ///   - last: in presentation order, all of one size.
  ///   - gap: pixels between the last and the first.
  package static func draw(
    last: [PixelImage], first: [PixelImage], gap: Int = gap
  ) -> PixelImage {
    let pictures = last + first
    guard let size = pictures.first?.size else { preconditionFailure("a strip has pictures") }
    let width = size.width * pictures.count + gap
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * size.height * 3)
    for y in 0..<size.height {
      for (index, picture) in pictures.enumerated() {
        if index == last.count { bytes += repeatElement(0, count: 3 * gap) }
        for x in 0..<size.width {
          let place = y * picture.bytesPerRow + x * picture.channels.rawValue
          bytes += picture.bytes[place..<place + 3]
        }
      }
    }
    return PixelImage(
      size: PixelSize(width: width, height: size.height), channels: .rgb, bytes: bytes)
  }
}
