import ArtworkModel
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
    let region = crop ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    let isDeep = format.color.isHDR
    let layout: PixelImage.Channels = format.hasAlpha ? .rgba : .rgb
    let target = pixelFormat(layout, isDeep: isDeep)
    let isScaled = region.width != size.width || region.height != size.height
    let scaler = try Scaler(
      frame: frame, width: region.width, height: region.height, matrix: format.shownMatrix,
      to: size,
      format: target, flags: isScaled ? artwork_scale_resize() : artwork_scale_same_size())
    let channels = layout.rawValue
    let count = size.width * size.height * channels
    if isDeep {
      let samples = try [UInt16](filledBy: count) { bytes throws(InspectionError) in
        try scaler.scale(frame, from: region, into: bytes, rowBytes: size.width * channels * 2)
      }
      return .deep(samples: samples, size: size, channels: layout)
    }
    let bytes = try [UInt8](filledBy: count) { bytes throws(InspectionError) in
      try scaler.scale(frame, from: region, into: bytes, rowBytes: size.width * channels)
    }
    return .image(PixelImage(size: size, channels: layout, bytes: bytes))
  }

  /// A picture in another size, by the same filter as frames.
  ///
  /// - Throws: `out-of-memory`.
  static func scale(
    _ image: PixelImage, to size: PixelSize
  ) throws(InspectionError) -> PixelImage {
    let frame = try Frame.copy(of: image)
    let scaler = try Scaler(
      frame: frame, width: frame.width, height: frame.height, to: size,
      format: pixelFormat(image.channels, isDeep: false), flags: artwork_scale_resize())
    let rowBytes = size.width * image.channels.rawValue
    let bytes = try [UInt8](filledBy: rowBytes * size.height) { bytes throws(InspectionError) in
      try scaler.scale(
        frame, from: CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height),
        into: bytes, rowBytes: rowBytes)
    }
    return PixelImage(size: size, channels: image.channels, bytes: bytes)
  }

  /// The luma and chroma of a frame that is not planar Y'CbCr, as a small planar picture for
  /// `body`: palette, packed and RGB formats.
  static func withReducedPlanes<R>(
    _ frame: borrowing Frame, side: Int, _ body: (PlanarPixels) -> R
  ) throws(InspectionError) -> R {
    let scaler = try Scaler(
      frame: frame, width: frame.width, height: frame.height,
      to: PixelSize(width: side, height: side), format: AV_PIX_FMT_YUV444P,
      flags: artwork_scale_reduce())
    let planeBytes = side * side
    let planes = try [UInt8](filledBy: planeBytes * 3) { start throws(InspectionError) in
      let targets = (0..<3).map {
        (start + $0 * planeBytes).assumingMemoryBound(to: UInt8.self) as UnsafeMutablePointer?
      }
      try scaler.scale(
        frame, rows: frame.height, offsets: [0, 0, 0, 0], into: targets + [nil], rowBytes: side)
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

/// One libswscale context.
private struct Scaler: ~Copyable {
  private let context: OpaquePointer

  init(
    frame: borrowing Frame, width: Int, height: Int, matrix: String? = nil, to size: PixelSize,
    format: AVPixelFormat, flags: Int32
  ) throws(InspectionError) {
    let (source, isFullRange) = Self.modernFormat(frame.format)
    guard
      let context = sws_getContext(
        Int32(width), Int32(height), source, Int32(size.width), Int32(size.height), format, flags,
        nil, nil, nil)
    else {
      // libswscale does not say why. What it supports fails for want of memory.
      guard sws_isSupportedInput(source) == 0 else {
        throw InspectionError(.outOfMemory, "out of memory", operation: "convert the picture")
      }
      throw InspectionError(
        .decodeFailed, "the pixel format cannot be converted to RGB", operation: "make the preview")
    }
    self.context = context
    let picture = frame.pointer.pointee
    // RGB has no matrix of its own: any but the target's would be applied one way only.
    let isRGB =
      (av_pix_fmt_desc_get(source)?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    let space = matrix.map { av_color_space_from_name($0) } ?? -1
    let coefficients = sws_getCoefficients(isRGB || space < 0 ? SWS_CS_DEFAULT : space)
    sws_setColorspaceDetails(
      context, coefficients, isFullRange || picture.color_range == AVCOL_RANGE_JPEG ? 1 : 0,
      sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16)
  }

  deinit { sws_freeContext(context) }

  /// Scales a region of `frame` into packed rows.
  func scale(
    _ frame: borrowing Frame, from region: CleanAperture, into bytes: UnsafeMutableRawPointer,
    rowBytes: Int
  ) throws(InspectionError) {
    let offsets = try Self.planeOffsets(frame, x: region.x, y: region.y)
    try scale(
      frame, rows: region.height, offsets: offsets,
      into: [bytes.assumingMemoryBound(to: UInt8.self), nil, nil, nil], rowBytes: rowBytes)
  }

  func scale(
    _ frame: borrowing Frame, rows: Int, offsets: [Int],
    into targets: [UnsafeMutablePointer<UInt8>?], rowBytes: Int
  ) throws(InspectionError) {
    let picture = frame.pointer.pointee
    let data = [picture.data.0, picture.data.1, picture.data.2, picture.data.3]
    let sources = zip(data, offsets).map { plane, offset in
      plane.map { UnsafePointer($0 + offset) }
    }
    let strides = [
      picture.linesize.0, picture.linesize.1, picture.linesize.2, picture.linesize.3,
    ]
    let targetStrides = [Int32](repeating: Int32(rowBytes), count: 4)
    let status = sws_scale(context, sources, strides, 0, Int32(rows), targets, targetStrides)
    guard status >= 0 else {
      throw InspectionError(.decodeFailed, status: status, operation: "convert the picture")
    }
  }

  /// Byte offsets of a top left corner in each plane. Chroma starts at the sample that covers it.
  private static func planeOffsets(
    _ frame: borrowing Frame, x: Int, y: Int
  ) throws(InspectionError) -> [Int] {
    if x == 0, y == 0 { return [0, 0, 0, 0] }
    guard let descriptor = av_pix_fmt_desc_get(frame.format)?.pointee else {
      throw InspectionError(.decodeFailed, "the pixel format is unknown")
    }
    let steps = [
      descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3,
    ].prefix(Int(descriptor.nb_components))
    let strides = [
      frame.pointer.pointee.linesize.0, frame.pointer.pointee.linesize.1,
      frame.pointer.pointee.linesize.2, frame.pointer.pointee.linesize.3,
    ]
    var offsets = [0, 0, 0, 0]
    for (index, component) in steps.enumerated() {
      let isChroma = index == 1 || index == 2
      let (shiftX, shiftY) =
        isChroma ? (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h)) : (0, 0)
      let plane = Int(component.plane)
      offsets[plane] = (y >> shiftY) * Int(strides[plane]) + (x >> shiftX) * Int(component.step)
    }
    return offsets
  }

  /// The `yuvj` formats are old names for full range.
  private static func modernFormat(_ format: AVPixelFormat) -> (AVPixelFormat, isFullRange: Bool) {
    switch format {
    case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
    case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
    case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
    case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
    case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
    default: (format, false)
    }
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
