import ArtworkModel
import CFFmpeg

/// Encodes small pictures as JPEG (libavcodec's Motion JPEG encoder): a tenth of the bytes of PNG, for reports
/// that hold hundreds.
enum JPEGEncoder {
  /// libavcodec's quantizer scale, 2 (best) to 31: no visible blocks at the sizes of a report.
  private static let quantizer: Int32 = 5

  /// The bytes of a JPEG file. Transparent parts become black.
  static func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    let failure = InspectionError(.outOfMemory, "out of memory", operation: "make a small picture")
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
      throw InspectionError(.decodeFailed, "this FFmpeg cannot write JPEG")
    }
    var opened = avcodec_alloc_context3(codec)
    guard let context = opened else { throw failure }
    defer { avcodec_free_context(&opened) }
    context.pointee.width = Int32(image.size.width)
    context.pointee.height = Int32(image.size.height)
    context.pointee.pix_fmt = AV_PIX_FMT_YUVJ444P
    context.pointee.time_base = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
    context.pointee.global_quality = quantizer * FF_QP2LAMBDA
    guard avcodec_open2(context, codec, nil) == 0 else { throw failure }

    let frame = try Frame.empty(size: image.size, format: AV_PIX_FMT_YUVJ444P)
    frame.pointer.pointee.quality = context.pointee.global_quality
    fill(frame, with: image)

    let packet = try Packet()
    guard avcodec_send_frame(context, frame.pointer) == 0,
      avcodec_receive_packet(context, packet.pointer) == 0,
      let data = packet.pointer.pointee.data
    else { throw failure }
    return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointer.pointee.size)))
  }

  /// Full-range Y'CbCr by the equations of JFIF 1.02 (BT.601's weights).
  private static func fill(_ frame: borrowing Frame, with image: PixelImage) {
    let picture = frame.pointer.pointee
    guard let luma = picture.data.0, let blue = picture.data.1, let red = picture.data.2 else {
      return
    }
    let depth = image.channels.rawValue
    for y in 0..<image.size.height {
      var place = y * image.bytesPerRow
      for x in 0..<image.size.width {
        let alpha = depth == 4 ? Int(image.bytes[place + 3]) : 255
        let r = Int(image.bytes[place]) * alpha / 255
        let g = Int(image.bytes[place + 1]) * alpha / 255
        let b = Int(image.bytes[place + 2]) * alpha / 255
        place += depth
        // In parts of 65536, rounded.
        func byte(_ sum: Int, _ middle: Int) -> UInt8 {
          UInt8(clamping: ((sum + 32768) >> 16) + middle)
        }
        luma[y * Int(picture.linesize.0) + x] = byte(19595 * r + 38470 * g + 7471 * b, 0)
        blue[y * Int(picture.linesize.1) + x] = byte(-11058 * r - 21710 * g + 32768 * b, 128)
        red[y * Int(picture.linesize.2) + x] = byte(32768 * r - 27439 * g - 5329 * b, 128)
      }
    }
  }
}
