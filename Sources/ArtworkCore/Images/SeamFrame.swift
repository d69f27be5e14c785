/// A picture near a seam, and the numbers for its label.
package struct SeamFrame: Sendable, Equatable {
  /// All pictures of a seam have one size.
  package var image: PixelImage
  /// The frame's number from zero, in presentation order.
  package var number: Int
  /// The time at which it is displayed, in seconds.
  package var seconds: Double

  package init(image: PixelImage, number: Int, seconds: Double) {
    self.image = image
    self.number = number
    self.seconds = seconds
  }
}

/// A row of pictures: the last frames, the seam, the first frames.
struct SeamRow {
  var last: [SeamFrame]
  var first: [SeamFrame]
  /// The space for one picture, in pixels.
  var tile: PixelSize
  var gap = 12
  /// The space for the line between the last and the first frames.
  var middle = 56
  private static let labels = 44

  private var pictureSize: PixelSize {
    guard let frame = last.first ?? first.first else { return tile }
    return frame.image.size.fitted(inside: tile)
  }

  /// Pixels from the top of the pictures to the end of the labels.
  var height: Int { pictureSize.height + Self.labels }

  var width: Int {
    let count = last.count + first.count
    return count * tile.width + max(0, count - 2) * gap + middle
  }

  /// - Parameter drawingColor: the colour of the seam.
  func draw(on canvas: inout Canvas, x: Int, y: Int, drawingColor: DrawingColor) {
    var left = x
    for (index, frame) in last.enumerated() {
      draw(frame, on: &canvas, x: left, y: y)
      left += tile.width + (index == last.count - 1 ? 0 : gap)
    }
    drawSeam(on: &canvas, x: left, y: y, drawingColor: drawingColor)
    left += middle
    for frame in first {
      draw(frame, on: &canvas, x: left, y: y)
      left += tile.width + gap
    }
  }

  private func draw(_ frame: SeamFrame, on canvas: inout Canvas, x: Int, y: Int) {
    let size = pictureSize
    let picture = frame.image.enlarged(to: size)
    let area = PixelRectangle(x: x, y: y, width: tile.width, height: size.height)
      .centering(picture.size)
    canvas.frame(area.inset(by: -1), .grid)
    canvas.blit(picture, x: area.x, y: area.y)
    let lines = [
      ("frame \(frame.number)", DrawingColor.text),
      ("\(fixedDecimal(frame.seconds, places: 3)) s", DrawingColor.quiet),
    ]
    for (row, (text, drawingColor)) in lines.enumerated() {
      canvas.write(
        text, x: x + (tile.width - Canvas.width(of: text)) / 2, y: y + size.height + 8 + row * 19,
        drawingColor)
    }
  }

  /// A line from top to bottom with an arrow across it: here the player starts again.
  private func drawSeam(on canvas: inout Canvas, x: Int, y: Int, drawingColor: DrawingColor) {
    let center = x + middle / 2
    let height = pictureSize.height
    canvas.fill(PixelRectangle(x: center - 1, y: y, width: 2, height: height), drawingColor)
    let arrow = y + height / 2
    canvas.fill(
      PixelRectangle(x: center - 17, y: arrow - 16, width: 34, height: 32), .background)
    canvas.fill(PixelRectangle(x: center - 12, y: arrow - 2, width: 16, height: 4), drawingColor)
    for offset in 0...8 {
      canvas.fill(
        PixelRectangle(x: center + 12 - offset, y: arrow - offset, width: 1, height: 2 * offset),
        drawingColor)
    }
    let text = "SEAM"
    canvas.write(
      text, x: center - Canvas.width(of: text) / 2, y: y + height + 8, drawingColor)
  }
}
