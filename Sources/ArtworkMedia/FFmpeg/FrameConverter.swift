import CFFmpeg

/// Converts decoded frames to packed RGB through libswscale with the stream's own matrix and range.
enum FrameConverter {
  /// A converted picture in coded orientation with square pixels.
  enum Result {
    case image(PixelImage)
    /// 16-bit R, G, B (and A) in the stream's own transfer function and primaries, rows without
    /// padding: high dynamic range, to be tone-mapped.
    case deep(samples: [UInt16], size: PixelSize, channels: PixelImage.Channels)
  }

  /// Converts the part of `frame` inside `crop` (the whole of it for `nil`) to `size` pixels.
  ///
  /// Same-size conversion rounds accurately and interpolates chroma; the default of libswscale is
  /// darker by a whole code value on average (measured against floating point). Scaling is Lanczos.
  static func convert(
    _ frame: borrowing Frame, format: DecodedFormat, crop: CleanAperture?, to size: PixelSize
  ) throws(InspectionError) -> Result {
    let frame = try frame.inWholeBytes(matrix: format.assumedMatrix)
    let region = crop ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    let isDeep = format.color.isHDR
    let layout: PixelImage.Channels = format.hasAlpha ? .rgba : .rgb
    let target = pixelFormat(layout, isDeep: isDeep)
    let isScaled = region.width != size.width || region.height != size.height
    if !isScaled, layout == .rgb, !isDeep, isPlanarYCbCr(frame.format) {
      return .image(try convertByPlanes(frame, matrix: format.assumedMatrix, region: region))
    }
    let scaler = try Scaler(
      frame: frame, region: region, matrix: format.assumedMatrix, to: size, format: target,
      flags: isScaled ? artwork_scale_resize() : artwork_scale_same_size())
    let channels = layout.rawValue
    let count = size.width * size.height * channels
    if isDeep {
      let samples = try [UInt16](filledBy: count) { bytes throws(InspectionError) in
        try scaler.scale(frame, into: bytes, rowBytes: size.width * channels * 2)
      }
      return .deep(samples: samples, size: size, channels: layout)
    }
    let bytes = try [UInt8](filledBy: count) { bytes throws(InspectionError) in
      try scaler.scale(frame, into: bytes, rowBytes: size.width * channels)
    }
    return .image(PixelImage(size: size, channels: layout, bytes: bytes))
  }

  /// Converts part of a frame of planar Y'CbCr at its own size: some rows at a time to planes of R, G and B, and
  /// those to pixels. The result equals a direct conversion to pixels, in a fraction of the time: of libswscale's
  /// accurate conversions, only those to planes use vector instructions on x86.
  static func convertByPlanes(
    _ frame: borrowing Frame, matrix: String?, region: CleanAperture
  ) throws(InspectionError) -> PixelImage {
    let size = PixelSize(width: region.width, height: region.height)
    let scaler = try Scaler(
      frame: frame, region: region, matrix: matrix, to: size, format: AV_PIX_FMT_GBRP,
      flags: artwork_scale_same_size())
    let stripe = try Frame.empty(
      size: PixelSize(width: size.width, height: Scaler.mostStripeRows), format: AV_PIX_FMT_GBRP)
    let rowBytes = size.width * 3
    let bytes = try [UInt8](filledBy: rowBytes * size.height) { bytes throws(InspectionError) in
      let pixels = bytes.assumingMemoryBound(to: UInt8.self)
      let planes = try colorPlanes(of: stripe)
      try scaler.scale(frame, into: stripe) { row, count in
        planes.interleave(rows: count, into: pixels + row * rowBytes)
      }
    }
    return PixelImage(size: size, channels: .rgb, bytes: bytes)
  }

  private static func colorPlanes(of frame: borrowing Frame) throws(InspectionError) -> ColorPlanes {
    let (width, height) = (frame.width, frame.height)
    guard let green = frame.plane(0, width: width, height: height),
      let blue = frame.plane(1, width: width, height: height),
      let red = frame.plane(2, width: width, height: height)
    else { throw InspectionError(.outOfMemory, "out of memory", operation: "convert the picture") }
    return ColorPlanes(red: red, green: green, blue: blue)
  }

  private static func isPlanarYCbCr(_ format: AVPixelFormat) -> Bool {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    let flags = descriptor.flags
    return descriptor.nb_components == 3 && flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
      && flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0
  }

  /// A picture in another size, by the same filter as frames.
  ///
  /// - Throws: `out-of-memory`.
  static func scale(
    _ image: PixelImage, to size: PixelSize
  ) throws(InspectionError) -> PixelImage {
    let frame = try Frame.copy(of: image)
    let scaler = try Scaler(
      frame: frame, to: size, format: pixelFormat(image.channels, isDeep: false),
      flags: artwork_scale_resize())
    let rowBytes = size.width * image.channels.rawValue
    let bytes = try [UInt8](filledBy: rowBytes * size.height) { bytes throws(InspectionError) in
      try scaler.scale(frame, into: bytes, rowBytes: rowBytes)
    }
    return PixelImage(size: size, channels: image.channels, bytes: bytes)
  }

  /// The luma and chroma of a frame that is not planar Y'CbCr, as a small planar picture for
  /// `body`: palette, packed and RGB formats.
  static func withReducedPlanes<R>(
    _ frame: borrowing Frame, side: Int, _ body: (PlanarPixels) -> R
  ) throws(InspectionError) -> R {
    let scaler = try Scaler(
      frame: frame, to: PixelSize(width: side, height: side), format: AV_PIX_FMT_YUV444P,
      flags: artwork_scale_reduce())
    let planeBytes = side * side
    let planes = try [UInt8](filledBy: planeBytes * 3) { start throws(InspectionError) in
      let targets = (0..<3).map {
        (start + $0 * planeBytes).assumingMemoryBound(to: UInt8.self) as UnsafeMutablePointer?
      }
      try scaler.scale(
        frame, rows: 0..<frame.height, into: targets + [nil], strides: [side, side, side, 0])
    }
    return planes.withUnsafeBytes { bytes in
      func plane(_ index: Int) -> PlanarPixels.Plane {
        PlanarPixels.Plane(
          start: bytes.baseAddress.unsafelyUnwrapped + index * planeBytes, bytesPerRow: side,
          width: side, height: side)
      }
      return body(PlanarPixels(luma: plane(0), blue: plane(1), red: plane(2), bitDepth: 8))
    }
  }

  private static func pixelFormat(
    _ channels: PixelImage.Channels, isDeep: Bool
  ) -> AVPixelFormat {
    switch (channels, isDeep) {
    case (.rgb, false): return AV_PIX_FMT_RGB24
    case (.rgba, false): return AV_PIX_FMT_RGBA
    #if _endian(big)
      case (.rgb, true): return AV_PIX_FMT_RGB48BE
      case (.rgba, true): return AV_PIX_FMT_RGBA64BE
    #else
      case (.rgb, true): return AV_PIX_FMT_RGB48LE
      case (.rgba, true): return AV_PIX_FMT_RGBA64LE
    #endif
    }
  }
}

extension Frame {
  /// The frame itself; if its format packs several pixels into a byte, a copy as RGB. A part of that can start
  /// anywhere, and libswscale converts it to Y'CbCr in limited range, which it does not do for one bit per pixel.
  ///
  /// - Parameter matrix: of its samples. The planes of the identity matrix (ITU-T H.273) are G, B and R, whatever the decoder
  ///   calls them.
  /// - Throws: `out-of-memory`, or `decode-failed` for a format that cannot be converted.
  func inWholeBytes(matrix: String?) throws(InspectionError) -> Frame {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee,
      descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0
    else {
      let result = try shared()
      let name = String(cString: av_get_pix_fmt_name(format))
      for (own, other) in [("yuv444p", "gbrp"), ("yuva444p", "gbrap")]
      where matrix == "gbr" && name.hasPrefix(own) {
        result.pointer.pointee.format = av_get_pix_fmt(other + name.dropFirst(own.count)).rawValue
      }
      return result
    }
    let size = PixelSize(width: width, height: height)
    let scaler = try Scaler(
      frame: self, to: size, format: AV_PIX_FMT_RGB24, flags: artwork_scale_same_size())
    let unpacked = try Frame.empty(size: size, format: AV_PIX_FMT_RGB24)
    try scaler.scale(self, into: unpacked)
    return unpacked
  }
}

extension Array where Element: FixedWidthInteger {
  /// An array of `count` elements that `fill` writes completely, without zeroing them first.
  fileprivate init(
    filledBy count: Int, _ fill: (UnsafeMutableRawPointer) throws(InspectionError) -> Void
  ) throws(InspectionError) {
    var failure: InspectionError?
    self.init(unsafeUninitializedCapacity: count) { buffer, used in
      guard let start = buffer.baseAddress else { return }
      do {
        try fill(UnsafeMutableRawPointer(start))
        used = count
      } catch let error as InspectionError {
        failure = error
      } catch {
        preconditionFailure("only InspectionError is thrown here")
      }
    }
    if let failure { throw failure }
  }
}
