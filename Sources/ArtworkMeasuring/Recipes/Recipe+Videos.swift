extension Recipe {
  /// Sets a still cover in motion.
  ///
  /// - Parameters:
  ///   - width: of the video, one that ``ArtworkModel/ArtworkKey/size(width:)`` does not change; `nil` for the
  ///     cover's own, at most 1080.
  ///   - quality: 1 to 100; `nil` for what suits the motion.
  package init(
    moving motion: Motion, key: ArtworkKey, focus: Encoding.Focus, width: Int? = nil,
    quality: Int? = nil
  ) {
    var drawing = Drawing()
    drawing.motion = motion
    var encoding = Encoding(
      form: .drawn(drawing), area: .chosen(key, focus), size: width.map(key.size(width:)))
    encoding.quality = quality
    self.init(content: .pictures(encoding))
  }

  /// Makes the other variant of a video, by a static crop. HDR stays HDR.
  ///
  /// - Parameter size: one of ``ArtworkModel/ArtworkKey/size(width:)``; `nil` for the largest without upscaling.
  package init(
    deriving key: ArtworkKey, of facts: MediaFacts, _ focus: Encoding.Focus, size: PixelSize? = nil
  ) {
    self.init(
      content: .pictures(
        Encoding(
          codec: facts.color.isHDR ? .hevc : .h264, form: .stored, area: .chosen(key, focus),
          size: size)))
  }

  /// Draws the frames of an animation or a video on the canvas of a new one, at a rate that a video may have.
  package init(
    drawing: Drawing, size: PixelSize, codec: MovieCodec = .h264, container: MovieContainer = .mp4
  ) {
    var frames = FrameSelection()
    frames.adapts = true
    self.init(
      container: container, frames: frames,
      content: .pictures(Encoding(codec: codec, form: .drawn(drawing), size: size)))
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
