import CFFmpeg

/// One picture in libav's own form: decoded, or filled from a ``PixelImage``. Other folders see its samples as
/// ``PlanarPixels``, a ``PixelImage`` or a digest.
@safe package struct Frame: ~Copyable {
  fileprivate(set) var pointer: UnsafeMutablePointer<AVFrame>

  package init() throws(InspectionError) {
    guard let pointer = unsafe av_frame_alloc() else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "decode")
    }
    unsafe self.pointer = unsafe pointer
  }

  /// A frame with room for a picture, whose samples are not set yet.
  ///
  /// - Throws: `out-of-memory`.
  static func empty(size: PixelSize, format: AVPixelFormat) throws(InspectionError) -> Frame {
    let frame = try Frame()
    unsafe frame.pointer.pointee.format = format.rawValue
    unsafe frame.pointer.pointee.width = Int32(clamping: size.width)
    unsafe frame.pointer.pointee.height = Int32(clamping: size.height)
    guard unsafe av_frame_get_buffer(frame.pointer, 0) == 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "make a picture")
    }
    return frame
  }

  /// A copy of a picture, in packed RGB or RGBA.
  ///
  /// - Throws: `out-of-memory`.
  package static func copy(of image: PixelImage) throws(InspectionError) -> Frame {
    let frame = try empty(
      size: image.size, format: image.channels == .rgba ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
    let stride = unsafe Int(frame.pointer.pointee.linesize.0)
    if let rows = unsafe frame.pointer.pointee.data.0 {
      unsafe image.bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        for y in 0..<image.size.height {
          unsafe UnsafeMutableRawPointer(rows + y * stride).copyMemory(
            from: start + y * image.bytesPerRow, byteCount: image.bytesPerRow)
        }
      }
    }
    return frame
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
    unsafe av_frame_free(&frame)
  }

  /// Another owner of the same samples, which are not copied.
  ///
  /// - Throws: `out-of-memory`.
  package func shared() throws(InspectionError) -> Frame {
    let other = try Frame()
    guard unsafe av_frame_ref(other.pointer, pointer) == 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "decode")
    }
    return other
  }

  /// The presentation timestamp in the stream's time base, estimated by libavcodec if the stream omits it.
  var pts: Int64? {
    let pts = unsafe pointer.pointee.best_effort_timestamp
    return pts == artwork_no_timestamp() ? nil : pts
  }
  /// The presentation timestamp of the packet that it came from; `nil` if that has none.
  var ownPts: Int64? {
    let pts = unsafe pointer.pointee.pts
    return pts == artwork_no_timestamp() ? nil : pts
  }
  package var duration: Int64 { unsafe artwork_frame_duration(pointer) }
  package var width: Int { unsafe Int(pointer.pointee.width) }
  package var height: Int { unsafe Int(pointer.pointee.height) }
  var format: AVPixelFormat { unsafe AVPixelFormat(rawValue: pointer.pointee.format) }
  /// The decoder concealed something or lacked a reference.
  package var isDamaged: Bool {
    unsafe pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
      || pointer.pointee.decode_error_flags != 0
  }

  /// Passes the picture's planes to `body` if it is planar Y'CbCr with integer samples; returns `nil` for every other
  /// layout (packed, palette, RGB).
  func withPlanes<R>(_ body: (PlanarPixels) -> R) -> R? {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return nil }
    let unwanted = UInt64(
      AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE
        | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BITSTREAM)
    let components = unsafe descriptor.pointee.comp
    let step = components.0.depth > 8 ? Int32(2) : 1
    guard
      unsafe descriptor.pointee.flags & unwanted == 0, unsafe descriptor.pointee.nb_components >= 3,
      components.0.plane == 0, components.1.plane == 1, components.2.plane == 2,
      components.0.step == step, components.1.step == step, components.0.shift == 0
    else { return nil }
    let chromaWidth = unsafe -(-width >> Int(descriptor.pointee.log2_chroma_w))
    let chromaHeight = unsafe -(-height >> Int(descriptor.pointee.log2_chroma_h))
    guard let luma = unsafe plane(0, width: width, height: height),
      let blue = unsafe plane(1, width: chromaWidth, height: chromaHeight),
      let red = unsafe plane(2, width: chromaWidth, height: chromaHeight)
    else { return nil }
    return unsafe body(
      PlanarPixels(luma: luma, blue: blue, red: red, bitDepth: Int(components.0.depth)))
  }

  /// One of the first three planes of the picture, which lives as long as the frame; `nil` if it has no such plane.
  func plane(_ index: Int, width: Int, height: Int) -> PlanarPixels.Plane? {
    let (data, strides) = unsafe (pointer.pointee.data, pointer.pointee.linesize)
    let start = unsafe [data.0, data.1, data.2][index]
    let stride = [strides.0, strides.1, strides.2][index]
    return unsafe start.map {
      unsafe PlanarPixels.Plane(
        start: UnsafeRawPointer($0), bytesPerRow: Int(stride), width: width, height: height)
    }
  }

  /// The MD5 of the picture's visible samples in its own pixel format, as `ffmpeg -f framemd5`
  /// prints it. Copies the picture once.
  func md5() -> String? {
    let needed = unsafe av_image_get_buffer_size(
      format, pointer.pointee.width, pointer.pointee.height, 1)
    guard needed > 0 else { return nil }
    var data: [UnsafePointer<UInt8>?] = unsafe withUnsafeBytes(of: pointer.pointee.data) { bytes in
      unsafe bytes.bindMemory(to: UnsafePointer<UInt8>?.self).prefix(4).map { unsafe $0 }
    }
    var strides: [Int32] = unsafe withUnsafeBytes(of: pointer.pointee.linesize) { bytes in
      unsafe Array(bytes.bindMemory(to: Int32.self).prefix(4))
    }
    var pixels = [UInt8](repeating: 0, count: Int(needed))
    guard
      unsafe av_image_copy_to_buffer(
        &pixels, needed, &data, &strides, format, pointer.pointee.width, pointer.pointee.height, 1)
        >= 0
    else { return nil }
    var digest = [UInt8](repeating: 0, count: 16)
    unsafe av_md5_sum(&digest, pixels, pixels.count)
    return digest.hexadecimal
  }

  /// 128 bits (MurmurHash3) of the pixel format, the size and the visible samples. Detects accidental differences; it
  /// does not resist deliberate collisions. Copies nothing.
  ///
  /// - Throws: `out-of-memory`.
  package func digest() throws(InspectionError) -> SIMD2<UInt64> {
    guard let hash = unsafe av_murmur3_alloc() else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "compare frames")
    }
    defer { unsafe av_free(UnsafeMutableRawPointer(hash)) }
    unsafe av_murmur3_init(hash)
    let head = unsafe [format.rawValue, pointer.pointee.width, pointer.pointee.height]
    unsafe head.withUnsafeBytes { bytes in
      unsafe av_murmur3_update(hash, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
    let descriptor = unsafe av_pix_fmt_desc_get(format)?.pointee
    let planes = unsafe withUnsafeBytes(of: pointer.pointee.data) {
      unsafe Array($0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self).prefix(4))
    }
    let strides = unsafe withUnsafeBytes(of: pointer.pointee.linesize) {
      unsafe Array($0.bindMemory(to: Int32.self).prefix(4))
    }
    for plane in 0..<4 {
      guard let start = unsafe planes[plane] else { continue }
      let isPalette =
        unsafe plane == 1 && (descriptor?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
      let isChroma = plane == 1 || plane == 2
      let shift = unsafe isChroma ? Int(descriptor?.log2_chroma_h ?? 0) : 0
      // A palette has 256 colours of four bytes.
      let bytes =
        unsafe isPalette
        ? 1024 : Int(av_image_get_linesize(format, pointer.pointee.width, Int32(plane)))
      let rows = isPalette ? 1 : -(-height >> shift)
      guard bytes > 0 else { continue }
      for row in 0..<rows {
        unsafe av_murmur3_update(hash, start + row * Int(strides[plane]), bytes)
      }
    }
    var digest: SIMD2<UInt64> = [0, 0]
    unsafe withUnsafeMutableBytes(of: &digest) {
      unsafe av_murmur3_final(hash, $0.bindMemory(to: UInt8.self).baseAddress)
    }
    return digest
  }
}
