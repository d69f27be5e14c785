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
        let left = x % first.size.width
        bytes +=
          tile.bytes[
            line + left * channels.rawValue..<line + (left + end - x) * channels.rawValue]
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
