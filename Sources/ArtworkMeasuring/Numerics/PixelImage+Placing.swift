internal import CKernels

extension PixelImage {
  /// The picture over a colour, without transparency, and whether the colour is visible anywhere. One pass.
  package func opaque(over background: PixelColor) -> (image: PixelImage, showsBackground: Bool) {
    guard channels == .rgba else { return (self, false) }
    var shows = false
    let color = [background.red, background.green, background.blue]
    let count = size.area
    let result = [UInt8](unsafeUninitializedCapacity: 3 * count) { result, used in
      shows = artwork_over(bytes, count, color, result.baseAddress) != 0
      used = 3 * count
    }
    return (PixelImage(size: size, channels: .rgb, bytes: result), shows)
  }

  /// An opaque picture on a canvas of one colour; parts outside are cut off.
  ///
  /// - Parameters:
  ///   - x, y: of its top left corner on the canvas.
  package func placed(
    on canvas: PixelSize, x: Int, y: Int, background: PixelColor
  ) -> PixelImage {
    precondition(channels == .rgb, "the picture is opaque")
    if size == canvas, x == 0, y == 0 { return self }
    let pixel = [background.red, background.green, background.blue]
    var result = [UInt8](repeating: 0, count: canvas.area * 3)
    if background != .black {
      let row = (0..<canvas.width).flatMap { _ in pixel }
      for line in 0..<canvas.height {
        result.replaceSubrange(line * row.count..<(line + 1) * row.count, with: row)
      }
    }
    let columns = max(0, -x)..<min(size.width, canvas.width - x)
    let lines = max(0, -y)..<min(size.height, canvas.height - y)
    for line in lines {
      let source = (line * size.width + columns.lowerBound) * 3
      let target = ((y + line) * canvas.width + x + columns.lowerBound) * 3
      result.replaceSubrange(
        target..<target + columns.count * 3, with: bytes[source..<source + columns.count * 3])
    }
    return PixelImage(size: canvas, channels: .rgb, bytes: result)
  }
}
