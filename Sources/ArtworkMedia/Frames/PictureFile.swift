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

extension PictureFile {
  /// The picture in a still that FFmpeg's demuxers do not read, as browsers show it; `nil` for a file of another kind. Of an
  /// animation it is the first one.
  ///
  /// - Throws: the reader's error for a file of its kind that is damaged, too large, or unsupported by this build.
  package static func still(
    _ input: InputFile, limits: Limits
  ) throws(InspectionError) -> PictureSequence? {
    let start = input.bytes(at: 0, count: MediaSignature.length)
    let format: FileFormat
    let picture: PixelImage
    if FileFormat.webp.begins(start) {
      let bytes = try contents(of: input, limits)
      let first = try WebPAnimation(bytes, limits: limits).picture(0)
      (format, picture) = (.webp, PictureTraits(webP: bytes).colors.shown(first))
    } else if FileFormat.avif.begins(start) {
      format = .avif
      picture = try LogCapture.scope { () throws(InspectionError) in try avif(input, limits) }
    } else if MediaSignature.isAnimatedPNG(start),
      let animation = try composedAnimation(input, limits)
    {
      (format, picture) = (.png, try animation.picture(0))
    } else {
      return nil
    }
    return try PictureSequence(
      size: picture.size, durations: [.one],
      origin: PictureSequence.Origin(
        container: format.rawValue, format: format.rawValue, codec: format.codec)
    ) { _ in picture }
  }

  private static func avif(
    _ input: InputFile, _ limits: Limits
  ) throws(InspectionError) -> PixelImage {
    let items = try PictureItems(of: input, limits: limits)
    if items.canvas == nil, let tile = items.tiles.first {
      return try decoded(tile, items.alpha.first, items, limits, isWhole: true)
    }
    // Tiles are turned together.
    var tiles: [PixelImage] = []
    for (number, tile) in items.tiles.enumerated() {
      let alpha = items.alpha.isEmpty ? nil : items.alpha[number]
      tiles.append(try decoded(tile, alpha, items, limits, isWhole: false))
    }
    guard let canvas = items.canvas, let first = tiles.first,
      tiles.allSatisfy({ $0.size == first.size && $0.channels == first.channels }),
      items.columns * first.size.width >= canvas.width,
      tiles.count / items.columns * first.size.height >= canvas.height
    else { throw .damagedStill }
    let channels = first.channels
    let area =
      items.crop(width: canvas.width, height: canvas.height)
      ?? CleanAperture(x: 0, y: 0, width: canvas.width, height: canvas.height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(area.width * area.height * channels.rawValue)
    for y in area.y..<area.y + area.height {
      let row = y / first.size.height * items.columns
      var x = area.x
      while x < area.x + area.width {
        let tile = tiles[row + x / first.size.width]
        let end = min(area.x + area.width, (x / first.size.width + 1) * first.size.width)
        let line = y % first.size.height * tile.bytesPerRow
        let start = line + x % first.size.width * channels.rawValue
        bytes += tile.bytes[start..<start + (end - x) * channels.rawValue]
        x = end
      }
    }
    let picture = PixelImage(
      size: PixelSize(width: area.width, height: area.height), channels: channels, bytes: bytes)
    return (items.properties.displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright)
      .applied(to: picture)
  }

  /// A coded picture in sRGB.
  ///
  /// - Parameter isWhole: whether it is cropped and turned by itself.
  private static func decoded(
    _ bytes: [UInt8], _ alpha: [UInt8]?, _ items: PictureItems, _ limits: Limits, isWhole: Bool
  ) throws(InspectionError) -> PixelImage {
    var traits = PictureTraits(.still)
    traits.icc = items.properties.icc
    traits.peak = MasteringLight.peak(items.properties.light, items.properties.display)
    if isWhole { traits.displayMatrix = items.properties.displayMatrix }
    return try SinglePacket.av1(bytes).decode(limits: limits) {
      frame, stated throws(InspectionError) in
      var format = stated
      var frame = try frame.shared()
      if let codes = items.properties.codes {
        traits.color = ColorDescription(
          primaries: codes.primaries, transfer: codes.transfer, matrix: codes.matrix,
          isFullRange: codes.isFullRange)
        frame.setRange(isFull: codes.isFullRange)
      }
      format = traits.format(format, of: frame)
      if let alpha {
        frame = try SinglePacket.av1(alpha).decode(limits: limits) {
          other, _ throws(InspectionError) in try frame.addingAlpha(other)
        }
        format = format.addingAlpha()
      }
      let crop = isWhole ? items.crop(width: frame.width, height: frame.height) : nil
      return try VideoFrame(frame, format: format, crop: crop).picture { $0 }
    }
  }
}
