extension Recipe {
  /// The other variant of a video, by a crop that does not move. HDR stays HDR.
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
}
