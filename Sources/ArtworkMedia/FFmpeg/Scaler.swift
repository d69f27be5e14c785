import CFFmpeg

/// One libswscale context for a region of frames.
@safe struct Scaler: ~Copyable {
  private let context: OpaquePointer
  private let region: CleanAperture

  /// - Parameters:
  ///   - frame: with the properties of the frames to scale.
  ///   - region: of the frame; the whole of it for `nil`.
  ///   - matrix: of the frame, by FFmpeg's name; for RGB it does not matter.
  ///   - target: the matrix of planes in limited range to make; `nil` to make RGB.
  /// - Throws: `decode-failed` for a region that is not inside the frame, or a pixel format that cannot be converted.
  init(
    frame: borrowing Frame, region: CleanAperture? = nil, matrix: String? = nil, to size: PixelSize,
    format: AVPixelFormat, flags: Int32, target: String? = nil
  ) throws(InspectionError) {
    // libswscale reads the whole region, even beyond the end of the frame.
    let region = region ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    guard region.isInside(width: frame.width, height: frame.height) else {
      throw InspectionError(
        .decodeFailed, "the picture is smaller than the part of it that is shown",
        operation: "convert the picture")
    }
    let (source, isOldFullRange) = Self.modernFormat(frame.format)
    let picture = unsafe frame.pointer.pointee
    let isFull: Int32 = unsafe isOldFullRange || picture.color_range == AVCOL_RANGE_JPEG ? 1 : 0
    let becomesFull: Int32 = target == nil ? 1 : 0
    guard
      let context = unsafe artwork_scaler(
        Int32(region.width), Int32(region.height), source, isFull, Int32(size.width),
        Int32(size.height), format, becomesFull, flags)
    else {
      // libswscale does not report a reason. Supported conversions fail only for lack of memory.
      guard sws_isSupportedInput(source) == 0 else {
        throw InspectionError(.outOfMemory, "out of memory", operation: "convert the picture")
      }
      throw InspectionError(
        .decodeFailed, "the pixel format cannot be converted", operation: "convert the picture")
    }
    unsafe self.context = unsafe context
    self.region = region
    // RGB has no matrix: any but the target's would be applied in one direction only.
    let isRGB =
      unsafe (av_pix_fmt_desc_get(source)?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    let space = matrix.map { unsafe av_color_space_from_name($0) } ?? -1
    unsafe artwork_scaler_set_colors(
      context, isRGB || space < 0 ? SWS_CS_DEFAULT : space, isFull,
      target.map { unsafe av_color_space_from_name($0) } ?? SWS_CS_DEFAULT, becomesFull)
  }

  deinit { unsafe artwork_scaler_free(context) }

  /// Scales the region of `frame` into packed rows.
  func scale(
    _ frame: borrowing Frame, into bytes: UnsafeMutableRawPointer, rowBytes: Int
  ) throws(InspectionError) {
    try unsafe scale(
      frame, rows: 0..<region.height,
      into: [bytes.assumingMemoryBound(to: UInt8.self), nil, nil, nil],
      strides: [rowBytes, 0, 0, 0])
  }

  /// Scales the region of `frame` into the planes of `target`.
  func scale(
    _ frame: borrowing Frame, into target: borrowing Frame
  ) throws(InspectionError) {
    let picture = unsafe target.pointer.pointee
    try unsafe scale(
      frame, rows: 0..<region.height,
      into: [picture.data.0, picture.data.1, picture.data.2, picture.data.3],
      strides: [
        Int(picture.linesize.0), Int(picture.linesize.1), Int(picture.linesize.2),
        Int(picture.linesize.3),
      ])
  }

  /// Rows that are converted at a time, few enough that they are still in the cache when they are used; a multiple of
  /// the rows covered by one row of chroma. Filters delay rows, which come with the next ones.
  private static let stripeRows = 32
  static let mostStripeRows = 2 * stripeRows

  /// Converts the region of `frame`, whose size does not change, stripe by stripe.
  ///
  /// - Parameters:
  ///   - stripe: has room for ``mostStripeRows``.
  ///   - take: called when `stripe` contains the next rows: the number of the first, and how many.
  func scale(
    _ frame: borrowing Frame, into stripe: borrowing Frame,
    take: (_ row: Int, _ count: Int) -> Void
  ) throws(InspectionError) {
    let picture = unsafe stripe.pointer.pointee
    let planes = unsafe [picture.data.0, picture.data.1, picture.data.2, nil]
    let strides = unsafe [picture.linesize.0, picture.linesize.1, picture.linesize.2, 0].map {
      Int($0)
    }
    var done = 0
    for start in stride(from: 0, to: region.height, by: Self.stripeRows) {
      // libswscale counts rows from the top of the picture.
      let targets = unsafe zip(planes, strides).map { plane, stride in
        unsafe plane.map { unsafe $0 - done * stride }
      }
      let rows = try unsafe scale(
        frame, rows: start..<min(start + Self.stripeRows, region.height), into: targets,
        strides: strides)
      take(done, rows)
      done += rows
    }
    guard done == region.height else {
      throw InspectionError(.decodeFailed, "rows are missing", operation: "convert the picture")
    }
  }

  /// Scales some rows of the region into planes.
  ///
  /// - Returns: how many rows of the planes are finished.
  @discardableResult
  func scale(
    _ frame: borrowing Frame, rows: Range<Int>,
    into targets: [UnsafeMutablePointer<UInt8>?], strides targetStrides: [Int]
  ) throws(InspectionError) -> Int {
    let picture = unsafe frame.pointer.pointee
    let data = unsafe [picture.data.0, picture.data.1, picture.data.2, picture.data.3]
    let offsets = try Self.planeOffsets(frame, x: region.x, y: region.y + rows.lowerBound)
    let sources = unsafe zip(data, offsets).map { plane, offset in
      unsafe plane.map { unsafe UnsafePointer($0 + offset) }
    }
    let strides = unsafe [
      picture.linesize.0, picture.linesize.1, picture.linesize.2, picture.linesize.3,
    ]
    let status = unsafe artwork_scaler_scale(
      context, sources, strides, Int32(rows.lowerBound), Int32(rows.count), targets,
      targetStrides.map { Int32($0) })
    guard status >= 0 else {
      throw InspectionError(.decodeFailed, status: status, operation: "convert the picture")
    }
    return Int(status)
  }

  /// Byte offsets of a top left corner in each plane. Chroma starts at the sample that covers it.
  private static func planeOffsets(
    _ frame: borrowing Frame, x: Int, y: Int
  ) throws(InspectionError) -> [Int] {
    if x == 0, y == 0 { return [0, 0, 0, 0] }
    guard let descriptor = unsafe av_pix_fmt_desc_get(frame.format)?.pointee else {
      throw InspectionError(.decodeFailed, "the pixel format is unknown")
    }
    let steps = unsafe [
      descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3,
    ].prefix(Int(descriptor.nb_components))
    let strides = unsafe [
      frame.pointer.pointee.linesize.0, frame.pointer.pointee.linesize.1,
      frame.pointer.pointee.linesize.2, frame.pointer.pointee.linesize.3,
    ]
    var offsets = [0, 0, 0, 0]
    for (index, component) in steps.enumerated() {
      let isChroma = index == 1 || index == 2
      let (shiftX, shiftY) =
        unsafe isChroma ? (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h)) : (0, 0)
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
