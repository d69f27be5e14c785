/// A rectangle in whole pixels.
struct PixelRectangle: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }

  /// `size` in the middle of this one.
  func centering(_ size: PixelSize) -> PixelRectangle {
    PixelRectangle(
      x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, width: size.width,
      height: size.height)
  }
}

/// An RGB picture to draw on. Drawing outside its bounds has no effect.
package struct Canvas {
  package let size: PixelSize
  private var bytes: [UInt8]

  init(size: PixelSize, fill: DrawingColor = .background) {
    self.size = size
    bytes = []
    bytes.reserveCapacity(size.area * 3)
    for _ in 0..<size.area { bytes += [fill.red, fill.green, fill.blue] }
  }

  package var image: PixelImage { PixelImage(size: size, channels: .rgb, bytes: bytes) }

  private func isInside(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && x < size.width && y < size.height
  }

  subscript(x: Int, y: Int) -> DrawingColor {
    get {
      precondition(isInside(x, y), "a pixel of the canvas")
      let start = (y * size.width + x) * 3
      return DrawingColor(bytes[start], bytes[start + 1], bytes[start + 2])
    }
    set {
      guard isInside(x, y) else { return }
      let start = (y * size.width + x) * 3
      bytes[start] = newValue.red
      bytes[start + 1] = newValue.green
      bytes[start + 2] = newValue.blue
    }
  }

  mutating func fill(_ area: PixelRectangle, _ drawingColor: DrawingColor) {
    for y in max(0, area.y)..<max(0, area.y, min(size.height, area.bottom)) {
      for x in max(0, area.x)..<max(0, area.x, min(size.width, area.right)) {
        self[x, y] = drawingColor
      }
    }
  }

  /// The outline of `area`, `thickness` pixels to the inside.
  mutating func frame(_ area: PixelRectangle, _ drawingColor: DrawingColor, thickness: Int = 1) {
    fill(PixelRectangle(x: area.x, y: area.y, width: area.width, height: thickness), drawingColor)
    fill(
      PixelRectangle(
        x: area.x, y: area.bottom - thickness, width: area.width, height: thickness), drawingColor)
    fill(PixelRectangle(x: area.x, y: area.y, width: thickness, height: area.height), drawingColor)
    fill(
      PixelRectangle(
        x: area.right - thickness, y: area.y, width: thickness, height: area.height), drawingColor)
  }

  /// Draws a picture with its top left corner at `x`, `y`, over a grey checkerboard where it is transparent.
  mutating func blit(_ image: PixelImage, x: Int, y: Int) {
    let channels = image.channels.rawValue
    for row in 0..<image.size.height {
      for column in 0..<image.size.width {
        let start = row * image.bytesPerRow + column * channels
        var drawingColor = DrawingColor(
          image.bytes[start], image.bytes[start + 1], image.bytes[start + 2])
        if image.channels == .rgba {
          let board =
            (row / 8 + column / 8) % 2 == 0 ? DrawingColor(96, 96, 96) : DrawingColor(128, 128, 128)
          drawingColor = board.mixed(
            with: drawingColor, share: Double(image.bytes[start + 3]) / 255)
        }
        self[x + column, y + row] = drawingColor
      }
    }
  }
}
