package import ArtworkLottie

/// Files whose pictures come from a reader other than FFmpeg. Each becomes a ``PictureSequence``, so that everything
/// that works on a video works on them.
package enum PictureFile {
  /// The pictures in a file; `nil` for a file of another kind. Reads the headers, or the whole document of a vector
  /// animation; pictures are decoded or rendered on demand.
  ///
  /// - Parameters:
  ///   - edits: changes to a vector animation before it is rendered.
  ///   - drawnSize: receives the size of a vector animation, returns the size to render at.
  ///   - Throws: the reader's error for a file of its kind that is damaged, too large, or unsupported by this build;
  ///     `no-match` for edits of a file that is not a vector animation.
  package static func open(
    _ input: InputFile, limits: Limits, edits: AnimationEdits? = nil,
    drawnSize: (PixelSize) -> PixelSize = { $0 }
  ) throws(InspectionError) -> PictureSequence? {
    let start = input.bytes(at: 0, count: MediaSignature.length)
    if MediaSignature.mayBeDrawn(start) {
      return try DrawnAnimation.pictures(
        of: contents(of: input, limits), edits ?? AnimationEdits(), drawnSize: drawnSize,
        limits: limits)
    }
    if let edits, edits.changesAnimation { throw notAnAnimation }
    if MediaSignature.isAnimatedWebP(start), WebPAnimation.isAvailable {
      let bytes = try contents(of: input, limits)
      let animation = try WebPAnimation(bytes, limits: limits)
      let colors = PictureTraits(webP: bytes).colors
      var pictures = try PictureSequence(
        size: animation.layout.canvas, durations: animation.durations,
        origin: PictureSequence.Origin(container: "webp", format: "webp", codec: "webp")
      ) { number throws(InspectionError) in colors.shown(try animation.picture(number)) }
      pictures.shortDelays = animation.shortDelays
      pictures.playCount = animation.layout.playCount
      try limits.check(pictures)
      return pictures
    }
    if MediaSignature.isAnimatedPNG(start) { return try composedAnimation(input, limits) }
    return nil
  }

  /// The pictures of an animated PNG that FFmpeg does not compose; `nil` for all others.
  static func composedAnimation(
    _ input: InputFile, _ limits: Limits
  ) throws(InspectionError) -> PictureSequence? {
    let outline = APNGOutline(BoxReader(input))
    guard outline.isBeyondFFmpeg else { return nil }
    let bytes = try contents(of: input, limits)
    guard let layout = APNGLayout(bytes) else { return nil }
    let animation = try APNGAnimation(bytes, layout: layout, limits: limits)
    input.readAsBrowsers()
    let traits = PictureTraits(png: input)
    let turn = traits.displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright
    let colors = traits.colors
    var pictures = try PictureSequence(
      size: turn.swapsAxes ? layout.size.transposed : layout.size, durations: animation.durations,
      origin: PictureSequence.Origin(container: "apng", format: "apng", codec: "apng")
    ) { number throws(InspectionError) in
      turn.applied(to: colors.shown(try animation.picture(number)))
    }
    pictures.shortDelays = animation.shortDelays
    pictures.bitDepth = layout.bitDepth
    pictures.isMisnumbered = outline.isMisnumbered ? true : nil
    pictures.playCount = outline.playCount
    try limits.check(pictures)
    return pictures
  }

  /// A vector animation, not rendered.
  ///
  /// - Throws: `no-match` for every other kind of file, and errors in an animation.
  package static func readAnimation(
    _ input: InputFile, limits: Limits, named name: String?
  ) throws(InspectionError) -> AnimationFile {
    guard MediaSignature.mayBeDrawn(input.bytes(at: 0, count: MediaSignature.length)) else {
      throw notAnAnimation
    }
    return try AnimationFile(contents(of: input, limits), animation: name)
  }

  private static let notAnAnimation = InspectionError(
    .noMatch, "this is not a Lottie animation, so it has no markers, layers and properties",
    advice: "name a Lottie animation")

  /// The whole file, of which a worker has room for a quarter of its memory.
  static func contents(
    of input: InputFile, _ limits: Limits
  ) throws(InspectionError) -> [UInt8] {
    let most = limits.memoryBytes / 4
    guard input.size <= most else {
      throw InspectionError(
        .tooLarge, "the file has \(input.size) bytes; at most \(most) are read of this kind")
    }
    return input.bytes(at: 0, count: Int(input.size))
  }
}
