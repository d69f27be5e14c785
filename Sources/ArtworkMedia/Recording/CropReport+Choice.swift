extension CropReport {
  /// Chooses the largest part of a shape. It keeps the full width or the full height, so that it can move along one axis
  /// only.
  ///
  /// - Parameters:
  ///   - key: the shape; `nil` for the whole picture.
  ///   - wanted: the size that the part is reduced to; `nil` for its own size.
  ///   - map: the visual interest in the coded picture.
  /// - Throws: `not-copied` for a clip that cannot be cropped, or for a size that the part cannot have.
  init(
    _ facts: MediaFacts, orientation: Orientation, key: ArtworkKey?, focus: Encoding.Focus,
    size wanted: PixelSize?, map: FocusMap
  ) throws(InspectionError) {
    if facts.cleanAperture != nil {
      throw InspectionError(.notCopied, "its container crops the picture")
    }
    let displaySize = PixelSize(
      width: max(1, facts.displayWidth), height: max(1, facts.displayHeight))
    guard let part = Self.part(of: displaySize, shape: key?.aspect) else {
      let unit = key?.aspect ?? .one
      throw InspectionError(
        .notCopied,
        "its picture, \(displaySize), is too small: at least \(2 * unit.numerator)x"
          + "\(2 * unit.denominator) pixels are needed", advice: "use a larger picture")
    }
    let size = wanted ?? part
    guard size.width <= part.width, size.height <= part.height else {
      throw InspectionError(
        .notCopied, "\(size) is larger than the largest part of that shape, \(part)")
    }
    // The map is of the coded picture.
    let isTurned = orientation.swapsAxes
    let whole = isTurned ? displaySize.transposed : displaySize
    let cut = isTurned ? part.transposed : part
    let isWide = whole.width - cut.width >= whole.height - cut.height
    let room = isWide ? whole.width - cut.width : whole.height - cut.height
    let length =
      isWide
      ? Double(cut.width) / Double(whole.width) : Double(cut.height) / Double(whole.height)
    let profile = map.profile(columns: isWide)
    let search = WindowSearch(
      profile, length: length, top: orientation.top(ofColumns: isWide),
      lines: isWide && !isTurned ? map.lines : [])
    func window(_ choice: WindowSearch.Choice) -> Window {
      // The other axis has at most a few pixels to spare.
      let free = Double(room) * choice.place
      let other = isWide ? whole.height - cut.height : whole.width - cut.width
      var x = isWide ? free : Double(other) / 2
      var y = isWide ? Double(other) / 2 : free
      if isTurned || orientation.isMirrored || orientation.clockwiseRotation == 180 {
        let center = orientation.displayPoint(
          x: (x + Double(cut.width) / 2) / Double(whole.width),
          y: (y + Double(cut.height) / 2) / Double(whole.height))
        x = center.x * Double(displaySize.width) - Double(part.width) / 2
        y = center.y * Double(displaySize.height) - Double(part.height) / 2
      }
      return Window(
        x: max(0, wholeNumber(x.rounded()) ?? 0), y: max(0, wholeNumber(y.rounded()) ?? 0),
        width: part.width, height: part.height, score: choice.score)
    }
    let best: WindowSearch.Choice =
      switch focus {
      case .auto: search.best
      case .center: search.center
      case .point(let x, let y):
        Self.around(orientation.coded(x: x, y: y), isWide: isWide, length: length, profile)
      }
    self.init(
      window: window(best), runnerUp: search.runnerUp.map(window), center: window(search.center),
      isFlat: search.isFlat && focus == .auto, size: size)
    cutsLines = search.cutsLines && focus == .auto
  }

  /// The largest part with even sides.
  ///
  /// - Parameter shape: its exact shape; `nil` for the whole picture.
  private static func part(of displaySize: PixelSize, shape: Rational?) -> PixelSize? {
    guard let shape else {
      let (width, height) = (displaySize.width / 2 * 2, displaySize.height / 2 * 2)
      return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
    }
    let (w, h) = (Int(clamping: shape.numerator), Int(clamping: shape.denominator))
    let unit = min(displaySize.width / w, displaySize.height / h) / 2 * 2
    return unit > 0 ? PixelSize(width: unit * w, height: unit * h) : nil
  }

  /// The window around a point, as far as the picture allows it.
  private static func around(
    _ point: (x: Double, y: Double), isWide: Bool, length: Double, _ profile: [Double]
  ) -> WindowSearch.Choice {
    let middle = isWide ? point.x : point.y
    let place = length < 1 ? min(1, max(0, (middle - length / 2) / (1 - length))) : 0
    let total = profile.reduce(0, +)
    let start = place * (1 - length) * Double(profile.count)
    let end = start + length * Double(profile.count)
    let inside = profile.enumerated().reduce(0) { sum, item in
      sum + item.element
        * max(0, min(Double(item.offset + 1), end) - max(Double(item.offset), start))
    }
    return WindowSearch.Choice(place: place, score: total > 0 ? inside / total : length)
  }
}

extension Orientation {
  /// The displayed position of a point of the coded picture, both in shares of the sides.
  package func displayPoint(x: Double, y: Double) -> (x: Double, y: Double) {
    let (u, v) = (x - 0.5, y - 0.5)
    return (Double(a) * u + Double(b) * v + 0.5, Double(c) * u + Double(d) * v + 0.5)
  }

  /// Which end of the coded columns, or of the rows, is displayed at the top: 0 or 1; `nil` if they run sideways.
  package func top(ofColumns: Bool) -> Double? {
    let (first, last) = (
      displayPoint(x: ofColumns ? 0 : 0.5, y: ofColumns ? 0.5 : 0).y,
      displayPoint(x: ofColumns ? 1 : 0.5, y: ofColumns ? 0.5 : 1).y
    )
    return abs(last - first) < 0.5 ? nil : first < last ? 0 : 1
  }

  /// The reverse of ``displayPoint(x:y:)``.
  func coded(x: Double, y: Double) -> (x: Double, y: Double) {
    let (u, v) = (x - 0.5, y - 0.5)
    return (Double(a) * u + Double(c) * v + 0.5, Double(b) * u + Double(d) * v + 0.5)
  }
}
