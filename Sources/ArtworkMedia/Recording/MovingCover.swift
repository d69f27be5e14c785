/// A still cover that becomes a loop: the visible part, and the effect that moves it.
package struct MovingCover {
  package let view: CoverView
  /// The chosen crop, in pixels of the cover as read.
  package let crop: CropReport
  /// The actual motion: another than the requested one if the cover does not allow that.
  package var drawn: Motion.Kind { effect.kind }
  private let motion: Motion
  private let effect: any Effect

  /// Wide enough for every screen that shows artwork, if no size is requested.
  private static let usualWidth = 1080
  /// The largest enlargement of a cover that does not look soft.
  private static let mostEnlarged = 1.5
  /// Pixels of the cover for each of the loop, beyond which more would only cost time.
  private static let mostOversampled = 2.0

  /// - Parameters:
  ///   - cover: without transparency.
  ///   - encoding: its area is the shape, and its size that of the loop.
  /// - Throws: `not-copied` for a cover that is too small for the size or the shape.
  package init(
    _ cover: PixelImage, _ encoding: Encoding, _ motion: Motion
  ) throws(InspectionError) {
    guard case .chosen(let key, let focus) = encoding.area else {
      throw InspectionError(.notCopied, "a cover in motion has a shape")
    }
    let crop = try Self.crop(cover, key, focus, encoding.size)
    let (area, size) = (crop.window.area, crop.size)
    guard Double(size.width) <= Self.mostEnlarged * Double(area.width) else {
      let most = wholeNumber(Double(area.width) * Self.mostEnlarged) ?? area.width
      throw InspectionError(
        .notCopied,
        "its largest part of that shape, \(area.size), would look soft in \(size): at most "
          + "\(most) pixels wide")
    }
    self.crop = crop
    self.motion = motion
    let view = CoverView(cover, area: area, size: size)
    self.view = view
    // Both videos of a cover move alike, also if they are made one by one.
    let shapes = try (key == nil ? [] : ArtworkKey.allCases).map { other throws(InspectionError) in
      if other == key { return view }
      let crop = try Self.crop(
        cover, other, focus, encoding.size.map { other.size(width: $0.width) })
      return CoverView(cover, area: crop.window.area, size: crop.size)
    }
    effect = try motion.effect(on: view, alike: shapes)
  }

  /// The part of a cover for a shape.
  ///
  /// - Parameter size: of the loop; `nil` for the usual one.
  private static func crop(
    _ cover: PixelImage, _ key: ArtworkKey?, _ focus: Encoding.Focus, _ size: PixelSize?
  ) throws(InspectionError) -> CropReport {
    var sampler = FocusSampler(.chosen(key, focus))
    let still = try PictureSequence([cover], durations: [.one])
    let read = try still.readFrames(everyFrame: true, into: &sampler)
    var crop = try CropReport(
      read.facts, orientation: .upright, key: key, focus: focus, size: nil,
      map: FocusMap(sampler.frames))
    crop.size = size ?? usualSize(of: crop.window.area.size, key: key)
    return crop
  }

  /// The size that a cover is read at: no more pixels than the loop can show.
  package static func drawnSize(of cover: PixelSize, for encoding: Encoding) -> PixelSize {
    // Of the taller shape, so that both are drawn of the same pixels.
    let width = encoding.size?.width ?? usualWidth
    let wanted = PixelSize(width: width, height: width * 4 / 3)
    // The shorter side of the cover holds the part's.
    let scale =
      mostOversampled
      * max(
        Double(wanted.width) / Double(cover.width), Double(wanted.height) / Double(cover.height))
    guard scale < 1 else { return cover.limitedForPreview }
    func side(_ length: Int) -> Int {
      max(1, wholeNumber((Double(length) * scale).rounded(.up)) ?? 1)
    }
    return PixelSize(width: side(cover.width), height: side(cover.height)).limitedForPreview
  }

  /// The loop, drawn picture by picture.
  package func pictures() throws(InspectionError) -> PictureSequence {
    try PictureSequence(moving: view.size, motion, by: effect)
  }

  /// The part's own size, or the usual one if that is smaller, in the exact shape with even sides.
  private static func usualSize(of part: PixelSize, key: ArtworkKey?) -> PixelSize {
    guard part.width > usualWidth else { return part }
    let aspect = key?.aspect.value ?? Double(part.width) / Double(part.height)
    let height = wholeNumber((Double(usualWidth) / aspect).rounded()) ?? usualWidth
    return PixelSize(width: usualWidth, height: height / 2 * 2)
  }
}

extension PictureSequence {
  /// A still cover in motion: the loop that `artworkd animate` makes, drawn picture by picture.
  ///
  /// - Parameters:
  ///   - cover: all of it is visible.
  ///   - size: of the loop; `nil` for that of the cover.
  ///   - background: visible through transparent parts.
  /// - Throws: `out-of-memory`.
  package init(
    setting cover: PixelImage, in motion: Motion, size: PixelSize? = nil,
    background: PixelColor = .black
  ) throws(InspectionError) {
    let picture = cover.opaque(over: background).image
    let area = CropArea(x: 0, y: 0, width: cover.size.width, height: cover.size.height)
    let view = CoverView(picture, area: area, size: size ?? cover.size)
    try self.init(moving: view.size, motion, by: motion.effect(on: view))
  }

  fileprivate init(
    moving size: PixelSize, _ motion: Motion, by effect: any Effect
  ) throws(InspectionError) {
    let count = motion.frameCount
    try self.init(
      size: size,
      durations: Array(repeating: motion.rate.inverse ?? .one, count: count)
    ) { number throws(InspectionError) in
      try effect.picture(at: Double(number) / Double(count))
    }
  }
}
