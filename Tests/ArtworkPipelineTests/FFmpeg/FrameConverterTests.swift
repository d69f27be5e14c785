import ArtworkModel
import CFFmpeg
import TestSupport
import Testing

@testable import ArtworkPipeline

@Suite("Frames become pixels plane by plane")
struct FrameConverterTests {
  static let formats = [
    AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P,
    AV_PIX_FMT_YUV410P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE,
  ]
  /// Less than a stripe, one, and parts of several; odd sides.
  static let sizes = [
    PixelSize(width: 2, height: 2), PixelSize(width: 17, height: 9),
    PixelSize(width: 64, height: 32), PixelSize(width: 63, height: 33),
    PixelSize(width: 160, height: 95), PixelSize(width: 48, height: 131),
  ]

  @Test("with the values that libswscale gives at once", arguments: formats, sizes)
  func sameValues(format: AVPixelFormat, size: PixelSize) throws {
    let whole = CleanAperture(x: 0, y: 0, width: size.width, height: size.height)
    try expectSame(try Self.noise(size, format), whole)
  }

  @Test("from a part at odd places")
  func part() throws {
    let frame = try Self.noise(PixelSize(width: 90, height: 120), AV_PIX_FMT_YUV420P)
    try expectSame(frame, CleanAperture(x: 7, y: 13, width: 61, height: 70))
  }

  private func expectSame(_ frame: borrowing Frame, _ part: CleanAperture) throws {
    let image = try FrameConverter.convertByPlanes(frame, matrix: "bt709", region: part)
    let scaler = try Scaler(
      frame: frame, width: part.width, height: part.height, matrix: "bt709", to: image.size,
      format: AV_PIX_FMT_RGB24, flags: artwork_scale_same_size())
    var bytes = [UInt8](repeating: 0, count: 3 * part.width * part.height)
    let rowBytes = 3 * part.width
    try bytes.withUnsafeMutableBytes { buffer in
      let start = try #require(buffer.baseAddress)
      try scaler.scale(frame, from: part, into: start, rowBytes: rowBytes)
    }
    #expect(Set(bytes).count > 2)
    #expect(image.bytes == bytes)
  }

  private static func noise(_ size: PixelSize, _ format: AVPixelFormat) throws -> Frame {
    let frame = try Frame.empty(size: size, format: format)
    var noise = Noise(seed: UInt64(size.width * size.height))
    let picture = frame.pointer.pointee
    let form = try #require(av_pix_fmt_desc_get(format)?.pointee)
    let shift = Int(form.log2_chroma_h)
    let chromaRows = (size.height + (1 << shift) - 1) >> shift
    let planes = [
      (picture.data.0, picture.linesize.0, size.height),
      (picture.data.1, picture.linesize.1, chromaRows),
      (picture.data.2, picture.linesize.2, chromaRows),
    ]
    // Ten bits where samples take two bytes: more would be no code value.
    let most: UInt16 = form.comp.0.depth == 10 ? 1023 : .max
    for (start, stride, rows) in planes {
      guard let start else { continue }
      for place in Swift.stride(from: 0, to: Int(stride) * max(1, rows), by: 2) {
        UnsafeMutableRawPointer(start + place).storeBytes(
          of: UInt16(truncatingIfNeeded: noise.next() >> 40) & most, as: UInt16.self)
      }
    }
    return frame
  }
}
