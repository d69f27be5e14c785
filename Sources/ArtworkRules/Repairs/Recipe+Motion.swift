extension Recipe {
  /// Sets a still cover in motion.
  ///
  /// - Parameters:
  ///   - width: of the video, one that ``ArtworkModel/ArtworkKey/size(width:)`` leaves as it is; `nil` for the cover's own,
  ///     at most 1080.
  package init(moving motion: Motion, key: ArtworkKey, focus: Encoding.Focus, width: Int? = nil) {
    var drawing = Drawing()
    drawing.motion = motion
    self.init(
      content: .pictures(
        Encoding(
          form: .drawn(drawing), area: .chosen(key, focus), size: width.map(key.size(width:)))))
  }
}

extension ArtworkKey {
  /// The size of this width, or of the next smaller one, in the exact shape with even sides.
  package func size(width: Int) -> PixelSize {
    let (w, h) = (Int(clamping: aspect.numerator), Int(clamping: aspect.denominator))
    let unit = max(2, width / w / 2 * 2)
    return PixelSize(width: unit * w, height: unit * h)
  }
}
