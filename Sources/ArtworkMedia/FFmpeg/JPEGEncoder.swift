import CFFmpeg

/// Encodes pictures as JPEG (libavcodec's Motion JPEG encoder): a tenth of the bytes of PNG, for reports with
/// hundreds of pictures and for clients that request it. Chroma is subsampled (4:2:0).
package enum JPEGEncoder {
  /// The quantizer at which no blocks are visible at the size of a report.
  package static let reportQuantizer: Int32 = 6

  /// The bytes of a JPEG file. Transparent parts become black.
  ///
  /// - Parameter quantizer: libavcodec's scale, 2 (best) to 31.
  package static func encode(
    _ image: PixelImage, quantizer: Int32
  ) throws(InspectionError) -> [UInt8] {
    let failure = InspectionError(.outOfMemory, "out of memory", operation: "make a JPEG picture")
    guard let codec = unsafe avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
      throw InspectionError(.decodeFailed, "this FFmpeg cannot write JPEG")
    }
    var opened = unsafe avcodec_alloc_context3(codec)
    guard let context = unsafe opened else { throw failure }
    defer { unsafe avcodec_free_context(&opened) }
    unsafe context.pointee.width = Int32(image.size.width)
    unsafe context.pointee.height = Int32(image.size.height)
    unsafe context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
    unsafe context.pointee.global_quality = quantizer * FF_QP2LAMBDA
    guard unsafe avcodec_open2(context, codec, nil) == 0 else { throw failure }

    let frame = try Frame.empty(size: image.size, format: AV_PIX_FMT_YUVJ420P)
    unsafe frame.pointer.pointee.quality = unsafe context.pointee.global_quality
    fill(frame, with: image)

    let packet = try Packet()
    guard unsafe avcodec_send_frame(context, frame.pointer) == 0,
      unsafe avcodec_receive_packet(context, packet.pointer) == 0,
      let data = unsafe packet.pointer.pointee.data
    else { throw failure }
    return unsafe Array(UnsafeBufferPointer(start: data, count: Int(packet.pointer.pointee.size)))
  }

  /// Full-range Y'CbCr by the equations of JFIF 1.02 (BT.601's weights).
  private static func fill(_ frame: borrowing Frame, with image: PixelImage) {
    let picture = unsafe frame.pointer.pointee
    guard let luma = unsafe picture.data.0, let blue = unsafe picture.data.1,
      let red = unsafe picture.data.2
    else {
      return
    }
    let (width, height) = (image.size.width, image.size.height)
    // In parts of 65536, rounded.
    func byte(_ sum: Int, _ middle: Int) -> UInt8 {
      UInt8(clamping: ((sum + 32768) >> 16) + middle)
    }
    for y in 0..<height {
      for x in 0..<width {
        let color = image.opaqueColor(x: x, y: y)
        unsafe luma[y * Int(picture.linesize.0) + x] = byte(
          19595 * color.red + 38470 * color.green + 7471 * color.blue, 0)
      }
    }
    for y in stride(from: 0, to: height, by: 2) {
      for x in stride(from: 0, to: width, by: 2) {
        var (r, g, b) = (0, 0, 0)
        for (column, row) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
          // The edge repeats.
          let color = image.opaqueColor(x: min(column, width - 1), y: min(row, height - 1))
          r += color.red
          g += color.green
          b += color.blue
        }
        unsafe blue[y / 2 * Int(picture.linesize.1) + x / 2] = byte(
          (-11058 * r - 21710 * g + 32768 * b) / 4, 128)
        unsafe red[y / 2 * Int(picture.linesize.2) + x / 2] = byte(
          (32768 * r - 27439 * g - 5329 * b) / 4, 128)
      }
    }
  }
}

extension PixelImage {
  /// The colour of a pixel on black.
  fileprivate func opaqueColor(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
    let place = y * bytesPerRow + x * channels.rawValue
    let alpha = channels == .rgba ? Int(bytes[place + 3]) : 255
    return (
      Int(bytes[place]) * alpha / 255, Int(bytes[place + 1]) * alpha / 255,
      Int(bytes[place + 2]) * alpha / 255
    )
  }
}
