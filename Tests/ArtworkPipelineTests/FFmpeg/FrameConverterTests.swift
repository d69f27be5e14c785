import CFFmpeg

@testable import ArtworkMedia

@Suite("Frames become pixels plane by plane") struct FrameConverterTests {
  static let formats = [
    AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV410P, AV_PIX_FMT_NV12,
    AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE,
  ]
  /// Less than a stripe, one, and parts of several; odd sides.
  static let sizes = [
    PixelSize(width: 2, height: 2), PixelSize(width: 17, height: 9), PixelSize(width: 64, height: 32),
    PixelSize(width: 63, height: 33), PixelSize(width: 160, height: 95), PixelSize(width: 48, height: 131),
  ]

  @Test(arguments: formats, sizes)
  func `with the values that libswscale gives at once`(format: AVPixelFormat, size: PixelSize) throws {
    let whole = CleanAperture(x: 0, y: 0, width: size.width, height: size.height)
    try expectSame(try Self.noise(size, format), whole)
  }

  @Test func `from a part at odd places`() throws {
    let frame = try Self.noise(PixelSize(width: 90, height: 120), AV_PIX_FMT_YUV420P)
    try expectSame(frame, CleanAperture(x: 7, y: 13, width: 61, height: 70))
  }

  @Test(arguments: [AV_PIX_FMT_MONOBLACK, AV_PIX_FMT_MONOWHITE, AV_PIX_FMT_GRAY8, AV_PIX_FMT_RGB24])
  func `a part of pixels that share bytes is that of the whole`(format: AVPixelFormat) throws {
    let size = PixelSize(width: 90, height: 40)
    let frame = try Self.noise(size, format)
    let part = CleanAperture(x: 13, y: 5, width: 42, height: 22)
    func pixels(_ crop: CleanAperture?, _ size: PixelSize) throws -> [UInt8] {
      let planes = try FrameConverter.encodable(frame, matrix: nil, crop: crop, to: size, as: "bt709")
      // The macro does not take what cannot be copied.
      let plane = unsafe planes.plane(0, width: size.width, height: size.height)
      let luma = try unsafe #require(plane)
      return (0..<size.height).flatMap { row in
        (0..<size.width).map { unsafe luma.start.load(fromByteOffset: row * luma.bytesPerRow + $0, as: UInt8.self) }
      }
    }
    let whole = try pixels(nil, size)
    #expect(whole.min() ?? 0 >= 16 && whole.max() ?? 255 <= 235)
    let cut = try pixels(part, PixelSize(width: part.width, height: part.height))
    for row in 0..<part.height {
      let start = (part.y + row) * size.width + part.x
      #expect(Array(whole[start..<start + part.width]) == Array(cut[row * part.width..<(row + 1) * part.width]))
    }
  }

  @Test(arguments: [
    CleanAperture(x: 0, y: 0, width: 34, height: 32), CleanAperture(x: 0, y: 0, width: 32, height: 34),
    CleanAperture(x: 8, y: 0, width: 26, height: 2), CleanAperture(x: -2, y: 0, width: 8, height: 8),
    CleanAperture(x: 0, y: 0, width: 0, height: 8),
  ])
  func `a part that is not inside the frame is an error`(part: CleanAperture) throws {
    let frame = try Self.noise(PixelSize(width: 32, height: 32), AV_PIX_FMT_YUV420P)
    let error = #expect(throws: InspectionError.self) {
      _ = try FrameConverter.encodable(frame, matrix: nil, crop: part, to: PixelSize(width: 8, height: 8), as: "bt709")
    }
    #expect(error?.code == .decodeFailed)
  }

  private func expectSame(_ frame: borrowing Frame, _ part: CleanAperture) throws {
    let image = try FrameConverter.convertByPlanes(frame, matrix: "bt709", region: part)
    let scaler = try Scaler(
      frame: frame, region: part, matrix: "bt709", to: image.size, format: AV_PIX_FMT_RGB24, flags: artwork_scale_same_size())
    var bytes = [UInt8](repeating: 0, count: 3 * part.width * part.height)
    let rowBytes = 3 * part.width
    try unsafe bytes.withUnsafeMutableBytes { buffer in
      let start = try unsafe #require(buffer.baseAddress)
      try unsafe scaler.scale(frame, into: start, rowBytes: rowBytes)
    }
    #expect(Set(bytes).count > 2)
    #expect(image.bytes == bytes)
  }

  private static func noise(_ size: PixelSize, _ format: AVPixelFormat) throws -> Frame {
    let frame = try Frame.empty(size: size, format: format)
    var noise = Noise(seed: UInt64(size.width * size.height))
    let picture = unsafe frame.pointer.pointee
    let form = try unsafe #require(av_pix_fmt_desc_get(format)?.pointee)
    let shift = unsafe Int(form.log2_chroma_h)
    let chromaRows = (size.height + (1 << shift) - 1) >> shift
    let planes = unsafe [
      (picture.data.0, picture.linesize.0, size.height), (picture.data.1, picture.linesize.1, chromaRows),
      (picture.data.2, picture.linesize.2, chromaRows),
    ]
    // Ten bits where samples take two bytes: more would be no code value.
    let most: UInt16 = unsafe form.comp.0.depth == 10 ? 1023 : .max
    for index in unsafe planes.indices {
      let (start, stride, rows) = unsafe planes[index]
      guard let start = unsafe start else { continue }
      for place in Swift.stride(from: 0, to: Int(stride) * max(1, rows), by: 2) {
        unsafe UnsafeMutableRawPointer(start + place).storeBytes(
          of: UInt16(truncatingIfNeeded: noise.next() >> 40) & most, as: UInt16.self)
      }
    }
    return frame
  }
}
