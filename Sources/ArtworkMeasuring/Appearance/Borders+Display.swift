/// The display properties of the coded picture after cropping.
package struct DisplayedPicture {
  package var orientation: Orientation
  package var size: PixelSize

  package init(
    orientation: Orientation, size: PixelSize
  ) {
    self.orientation = orientation
    self.size = size
  }
}

extension Borders {
  /// The scan of the coded sides, as the sides of the displayed picture; `nil` if nothing was scanned.
  init?(_ scan: BorderScan, _ display: DisplayedPicture) {
    guard let top = scan.top, let bottom = scan.bottom, let left = scan.left,
      let right = scan.right
    else { return nil }
    let turn = display.orientation
    /// The coded side that is displayed towards (x, y).
    func shown(_ x: Int8, _ y: Int8) -> Side {
      let coded = [
        (Int8(0), Int8(-1), top), (0, 1, bottom), (-1, 0, left), (1, 0, right),
      ]
      let side =
        coded.first { turn.a * $0.0 + turn.b * $0.1 == x && turn.c * $0.0 + turn.d * $0.1 == y }?
        .2 ?? top
      return Side(side, displayedLength: x == 0 ? display.size.height : display.size.width)
    }
    self.init(top: shown(0, -1), bottom: shown(0, 1), left: shown(-1, 0), right: shown(1, 0))
  }
}

extension Borders.Side {
  fileprivate init(_ side: BorderScan.Side, displayedLength: Int) {
    guard let edge = side.edge else {
      self.init(depth: 0, level: Double(side.level))
      return
    }
    let depth = Double(edge.depth) * Double(displayedLength) / Double(max(1, side.length))
    self.init(
      depth: wholeNumber(depth.rounded()) ?? 0, straight: edge.straight, early: edge.early,
      contrast: Double(side.contrast), texture: Double(side.texture),
      hardness: Double(side.hardness), level: Double(side.level))
  }
}
