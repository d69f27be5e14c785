extension CropArea {
  /// The largest part with even sides at even places and the aspect ratio of `shape`, from the middle; `nil` where
  /// there is no room for one.
  package func largest(_ shape: ArtworkShape) -> CropArea? {
    let (left, top) = ((x + 1) / 2 * 2, (y + 1) / 2 * 2)
    let (w, h) = (Int(clamping: shape.aspect.numerator), Int(clamping: shape.aspect.denominator))
    guard w > 0, h > 0 else { return nil }
    let unit = min((x + width - left) / w, (y + height - top) / h) / 2 * 2
    guard unit > 0 else { return nil }
    var area = self
    (area.width, area.height) = (unit * w, unit * h)
    area.x = left + (x + width - left - area.width) / 4 * 2
    area.y = top + (y + height - top - area.height) / 4 * 2
    return area
  }

  /// Cuts the part out of upright frames.
  ///
  /// - Parameter size: what it is scaled to.
  func filters(_ facts: MediaFacts, to size: PixelSize? = nil) -> [String] {
    var filters: [String] = []
    if facts.sampleAspect != .one {
      filters += ["scale=\(facts.displayWidth):\(facts.displayHeight)", "setsar=1"]
    }
    if self != CropArea(facts) { filters.append("crop=\(width):\(height):\(x):\(y)") }
    if let size, size.width != width || size.height != height {
      filters += ["scale=\(size.width):\(size.height)", "setsar=1"]
    }
    return filters
  }

  /// The repair that shows this part only; `nil` where the profile wants a larger picture than is left, since
  /// enlarging adds no detail.
  package func repair(_ facts: MediaFacts, shape: ArtworkShape, for profile: Profile) -> Repair? {
    let shown = (width: facts.displayWidth, height: facts.displayHeight)
    if let size = shape.size {
      guard width >= size.width, height >= size.height else { return nil }
    } else if let least = profile.smallestSide, min(width, height) < least,
      min(shown.width, shown.height) >= least
    {
      return nil
    }
    return .encode(facts, for: profile, ClipEdit(area: self, size: shape.size))
  }
}
