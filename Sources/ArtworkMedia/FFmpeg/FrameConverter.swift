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
      let samples = try unsafe [UInt16](filledBy: count) { bytes throws(InspectionError) in
        try unsafe scaler.scale(frame, into: bytes, rowBytes: size.width * channels * 2)
      }
      return .deep(samples: samples, size: size, channels: layout)
    }
    let bytes = try unsafe [UInt8](filledBy: count) { bytes throws(InspectionError) in
      try unsafe scaler.scale(frame, into: bytes, rowBytes: size.width * channels)
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
    let bytes = try unsafe [UInt8](filledBy: rowBytes * size.height) {
      bytes throws(InspectionError) in
      let pixels = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      let planes = try unsafe colorPlanes(of: stripe)
      try scaler.scale(frame, into: stripe) { row, count in
        unsafe planes.interleave(rows: count, into: pixels + row * rowBytes)
      }
    }
    return PixelImage(size: size, channels: .rgb, bytes: bytes)
  }

  private static func colorPlanes(of frame: borrowing Frame) throws(InspectionError) -> ColorPlanes {
    let (width, height) = (frame.width, frame.height)
    guard let green = unsafe frame.plane(0, width: width, height: height),
      let blue = unsafe frame.plane(1, width: width, height: height),
      let red = unsafe frame.plane(2, width: width, height: height)
    else { throw InspectionError(.outOfMemory, "out of memory", operation: "convert the picture") }
    return unsafe ColorPlanes(red: red, green: green, blue: blue)
  }

  private static func isPlanarYCbCr(_ format: AVPixelFormat) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format)?.pointee else { return false }
    let flags = unsafe descriptor.flags
    return unsafe descriptor.nb_components == 3 && flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
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
    let bytes = try unsafe [UInt8](filledBy: rowBytes * size.height) {
      bytes throws(InspectionError) in
      try unsafe scaler.scale(frame, into: bytes, rowBytes: rowBytes)
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
    let planes = try unsafe [UInt8](filledBy: planeBytes * 3) { start throws(InspectionError) in
      let targets = unsafe (0..<3).map {
        unsafe (start + $0 * planeBytes).assumingMemoryBound(to: UInt8.self)
          as UnsafeMutablePointer?
      }
      try unsafe scaler.scale(
        frame, rows: 0..<frame.height, into: targets + [nil], strides: [side, side, side, 0])
    }
    return unsafe planes.withUnsafeBytes { bytes in
      func plane(_ index: Int) -> PlanarPixels.Plane {
        unsafe PlanarPixels.Plane(
          start: bytes.baseAddress.unsafelyUnwrapped + index * planeBytes, bytesPerRow: side,
          width: side, height: side)
      }
      return unsafe body(PlanarPixels(luma: plane(0), blue: plane(1), red: plane(2), bitDepth: 8))
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
    guard let descriptor = unsafe av_pix_fmt_desc_get(format)?.pointee,
      unsafe descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0
    else {
      let result = try shared()
      let name = unsafe String(cString: av_get_pix_fmt_name(format))
      for (own, other) in [("yuv444p", "gbrp"), ("yuva444p", "gbrap")]
      where matrix == "gbr" && name.hasPrefix(own) {
        unsafe result.pointer.pointee.format = unsafe av_get_pix_fmt(
          other + name.dropFirst(own.count)
        ).rawValue
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
    unsafe self.init(unsafeUninitializedCapacity: count) { buffer, used in
      guard let start = buffer.baseAddress else { return }
      do {
        try unsafe fill(UnsafeMutableRawPointer(start))
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

/// Frames in the form that ``VideoEncoder`` takes: planar 4:2:0 in limited range, with 8 bits, or 10 for HDR.
extension FrameConverter {
  /// A picture by the equations of BT.709.
  ///
  /// - Parameters:
  ///   - image: whose alpha becomes a fourth plane.
  ///   - size: that it is scaled to; with even sides.
  static func encodable(
    _ image: PixelImage, size: PixelSize
  ) throws(InspectionError) -> Frame {
    try encodable(
      .copy(of: image), matrix: nil, crop: nil, to: size, as: "bt709",
      keepsAlpha: image.channels == .rgba)
  }

  /// A decoded frame with its own matrix, scaled from the part inside `crop` (the whole of it for `nil`).
  ///
  /// - Parameters:
  ///   - matrix: of the frame, by FFmpeg's name.
  ///   - target: the matrix of the result.
  ///   - bitDepth: of the result, 8 or 10.
  static func encodable(
    _ frame: borrowing Frame, matrix: String?, crop: CleanAperture?, to size: PixelSize,
    as target: String, bitDepth: Int = 8, keepsAlpha: Bool = false
  ) throws(InspectionError) -> Frame {
    let frame = try frame.progressive().inWholeBytes(matrix: matrix)
    let region = crop ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    let format =
      bitDepth > 8
      ? AV_PIX_FMT_YUV420P10LE : keepsAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
    let isScaled = region.width != size.width || region.height != size.height
    let scaler = try Scaler(
      frame: frame, region: region, matrix: matrix, to: size, format: format,
      flags: isScaled ? artwork_scale_resize() : artwork_scale_same_size(), target: target)
    let planes = try Frame.empty(size: size, format: format)
    try scaler.scale(frame, into: planes)
    return planes
  }

  /// A dissolve between two frames of planar 4:2:0 with 8 bits in one size.
  ///
  /// - Parameter share: of `other`, 0 to 1.
  /// - Throws: `out-of-memory`.
  static func mixed(
    _ frame: borrowing Frame, with other: borrowing Frame, share: Double
  ) throws(InspectionError) -> Frame {
    let size = PixelSize(width: frame.width, height: frame.height)
    precondition(size.width == other.width && size.height == other.height, "one size")
    let result = try Frame.empty(size: size, format: AV_PIX_FMT_YUV420P)
    let weight = wholeNumber((min(1, max(0, share)) * 256).rounded(), as: UInt32.self) ?? 0
    let (one, two, target) = unsafe (
      frame.pointer.pointee, other.pointer.pointee, result.pointer.pointee
    )
    let planes = unsafe [
      (one.data.0, one.linesize.0, two.data.0, two.linesize.0, target.data.0, target.linesize.0),
      (one.data.1, one.linesize.1, two.data.1, two.linesize.1, target.data.1, target.linesize.1),
      (one.data.2, one.linesize.2, two.data.2, two.linesize.2, target.data.2, target.linesize.2),
    ]
    for index in unsafe planes.indices {
      let plane = unsafe planes[index]
      guard let a = unsafe plane.0, let b = unsafe plane.2, let mix = unsafe plane.4 else {
        continue
      }
      let shift = index == 0 ? 0 : 1
      for y in 0..<(size.height + shift) >> shift {
        let (from, to, into) = unsafe (y * Int(plane.1), y * Int(plane.3), y * Int(plane.5))
        for x in 0..<(size.width + shift) >> shift {
          let sum = unsafe UInt32(a[from + x]) * (256 - weight) + UInt32(b[to + x]) * weight
          unsafe mix[into + x] = UInt8(truncatingIfNeeded: (sum + 128) >> 8)
        }
      }
    }
    return result
  }

  /// A frame of planar 4:2:0 with 8 bits in other colours.
  ///
  /// - Parameter map: see ``LightDrift/map(at:)``.
  /// - Throws: `out-of-memory`.
  static func levelled(
    _ frame: borrowing Frame, by map: [Float]
  ) throws(InspectionError) -> Frame {
    let size = PixelSize(width: frame.width, height: frame.height)
    let result = try Frame.empty(size: size, format: AV_PIX_FMT_YUV420P)
    let (from, to) = unsafe (frame.pointer.pointee, result.pointer.pointee)
    guard let luma = unsafe from.data.0, let blue = unsafe from.data.1,
      let red = unsafe from.data.2,
      let newLuma = unsafe to.data.0, let newBlue = unsafe to.data.1, let newRed = unsafe to.data.2
    else { return result }
    func code(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
    for y in 0..<(size.height + 1) / 2 {
      for x in 0..<(size.width + 1) / 2 {
        let u = unsafe Float(blue[y * Int(from.linesize.1) + x])
        let v = unsafe Float(red[y * Int(from.linesize.2) + x])
        var (sum, count) = (Float(0), Float(0))
        for row in 2 * y..<min(2 * y + 2, size.height) {
          for column in 2 * x..<min(2 * x + 2, size.width) {
            let value = unsafe Float(luma[row * Int(from.linesize.0) + column])
            (sum, count) = (sum + value, count + 1)
            unsafe newLuma[row * Int(to.linesize.0) + column] = code(
              map[0] * value + map[1] * u + map[2] * v + map[3])
          }
        }
        let mean = sum / count
        unsafe newBlue[y * Int(to.linesize.1) + x] = code(
          map[4] * mean + map[5] * u + map[6] * v + map[7])
        unsafe newRed[y * Int(to.linesize.2) + x] = code(
          map[8] * mean + map[9] * u + map[10] * v + map[11])
      }
    }
    return result
  }
}
