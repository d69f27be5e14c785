extension SeamMeasurement.WorstBlock {
  /// Returns the place of this block in the displayed picture, which is cropped and upright.
  package func shown(of size: PixelSize, crop: CleanAperture?, orientation: Orientation) -> Self {
    let crop = crop ?? CleanAperture(x: 0, y: 0, width: size.width, height: size.height)
    /// The part of `length`, from `start` on, that a share of `whole` covers.
    func cut(_ place: Double, _ share: Double, _ whole: Int, _ start: Int, _ length: Int)
      -> (low: Double, high: Double)
    {
      func end(_ place: Double) -> Double {
        min(1, max(0, (place * Double(whole) - Double(start)) / Double(length)))
      }
      return (end(place), end(place + share))
    }
    let x = cut(x, width, size.width, crop.x, crop.width)
    let y = cut(y, height, size.height, crop.y, crop.height)
    /// Turned about the middle of the picture.
    func turned(_ a: Int8, _ b: Int8) -> (low: Double, high: Double) {
      let ends = [(x.low, y.low), (x.high, y.high)].map {
        0.5 + Double(a) * ($0.0 - 0.5) + Double(b) * ($0.1 - 0.5)
      }
      return (min(ends[0], ends[1]), max(ends[0], ends[1]))
    }
    let (across, down) = (
      turned(orientation.a, orientation.b), turned(orientation.c, orientation.d)
    )
    return Self(
      x: across.low, y: down.low, width: across.high - across.low, height: down.high - down.low,
      ratio: ratio)
  }

  /// The pixels of `area` that this part covers.
  func pixels(in area: PixelRectangle) -> PixelRectangle {
    func place(_ share: Double, _ length: Int) -> Int {
      wholeNumber((share * Double(length)).rounded()) ?? 0
    }
    let (left, top) = (place(x, area.width), place(y, area.height))
    return PixelRectangle(
      x: area.x + left, y: area.y + top, width: place(x + width, area.width) - left,
      height: place(y + height, area.height) - top)
  }
}
