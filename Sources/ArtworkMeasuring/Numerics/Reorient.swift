extension Orientation {
  /// The picture rotated and flipped by this orientation. Upright pictures are returned unchanged; others are copied
  /// once.
  package func applied(to image: PixelImage) -> PixelImage {
    if self == .upright { return image }
    let (width, height) = (image.size.width, image.size.height)
    let size = swapsAxes ? image.size.transposed : image.size
    let channels = image.channels.rawValue
    // A target pixel (x, y) comes from the source pixel that the inverse (the transpose: the matrix is
    // orthogonal) sends it to, shifted into the picture where an axis is reversed.
    let (stepX, stepY) = (
      Int(a) * channels + Int(b) * image.bytesPerRow, Int(c) * channels + Int(d) * image.bytesPerRow
    )
    let reversesX = a < 0 || c < 0
    let reversesY = b < 0 || d < 0
    let origin =
      (reversesX ? (width - 1) * channels : 0) + (reversesY ? (height - 1) * image.bytesPerRow : 0)
    let bytes = [UInt8](unsafeUninitializedCapacity: image.bytes.count) { target, used in
      image.bytes.withUnsafeBufferPointer { source in
        var out = 0
        for y in 0..<size.height {
          var from = origin + y * stepY
          for _ in 0..<size.width {
            for channel in 0..<channels { target[out + channel] = source[from + channel] }
            out += channels
            from += stepX
          }
        }
      }
      used = image.bytes.count
    }
    return PixelImage(size: size, channels: image.channels, bytes: bytes)
  }
}
