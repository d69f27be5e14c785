/// A crop for people to judge: frames with the chosen part marked, and below each of them the part alone.
package struct CropPicture: Sendable {
  /// Pictures of frames in presentation order, all of one size.
  package var frames: [PixelImage]
  package var window: CropReport.Window
  /// The size of the picture on screen that the window is a part of.
  package var displaySize: PixelSize

  /// Pictures should be reduced to fit inside this size before they are passed in.
  package static let frameSize = PixelSize(width: 640, height: 640)
  private static let tile = PixelSize(width: 240, height: 320)
  private static let gap = 10

  package init(frames: [PixelImage], window: CropReport.Window, displaySize: PixelSize) {
    (self.frames, self.window, self.displaySize) = (frames, window, displaySize)
  }

  /// Draws the picture, as wide as its frames.
  package func draw() -> PixelImage {
    let wholes = frames.map { $0.enlarged(to: $0.size.fitted(inside: Self.tile)) }
    let parts = frames.map { frame in
      let area = part(of: frame.size)
      return frame.part(area).enlarged(to: area.size.fitted(inside: Self.tile))
    }
    let rows = [wholes, parts].map { $0.map(\.size.height).max() ?? 0 }
    var canvas = Canvas(
      size: PixelSize(
        width: frames.count * (Self.tile.width + Self.gap) + Self.gap,
        height: rows.reduce(Self.gap) { $0 + $1 + Self.gap }))
    for (column, (whole, part)) in zip(wholes, parts).enumerated() {
      let room = PixelRectangle(
        x: Self.gap + column * (Self.tile.width + Self.gap), y: Self.gap, width: Self.tile.width,
        height: rows[0])
      let area = room.centering(whole.size)
      canvas.blit(whole, x: area.x, y: area.y)
      mark(self.part(of: whole.size), in: area, on: &canvas)
      let below = PixelRectangle(
        x: room.x, y: room.bottom + Self.gap, width: room.width, height: rows[1])
      canvas.blit(part, x: below.centering(part.size).x, y: below.centering(part.size).y)
    }
    return canvas.image
  }

  /// Frames the window, and darkens what is outside.
  private func mark(_ part: PixelRectangle, in area: PixelRectangle, on canvas: inout Canvas) {
    let window = PixelRectangle(
      x: area.x + part.x, y: area.y + part.y, width: part.width, height: part.height)
    for y in area.y..<area.bottom {
      for x in area.x..<area.right
      where !(window.x..<window.right).contains(x) || !(window.y..<window.bottom).contains(y) {
        canvas[x, y] = canvas[x, y].mixed(with: .background, share: 0.65)
      }
    }
    canvas.frame(window, .mark, thickness: 2)
  }

  /// The window in a picture of this size.
  private func part(of size: PixelSize) -> PixelRectangle {
    let x = min(size.width - 1, window.x * size.width / displaySize.width)
    let y = min(size.height - 1, window.y * size.height / displaySize.height)
    func length(_ length: Int, _ whole: Int, _ display: Int, from start: Int) -> Int {
      max(1, min(whole - start, (length * whole + display / 2) / display))
    }
    return PixelRectangle(
      x: x, y: y, width: length(window.width, size.width, displaySize.width, from: x),
      height: length(window.height, size.height, displaySize.height, from: y))
  }
}

extension PixelRectangle {
  fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}

extension PixelImage {
  fileprivate func part(_ area: PixelRectangle) -> PixelImage {
    let depth = channels.rawValue
    var part: [UInt8] = []
    part.reserveCapacity(area.size.area * depth)
    for y in area.y..<area.bottom {
      let start = y * bytesPerRow + area.x * depth
      part += bytes[start..<start + area.width * depth]
    }
    return PixelImage(size: area.size, channels: channels, bytes: part)
  }
}
