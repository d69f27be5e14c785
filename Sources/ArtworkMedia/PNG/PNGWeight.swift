import CPNG

/// How much data a PNG picture holds.
enum PNGWeight {
  /// Refuses a PNG picture whose data inflates to more than its pixels take: a megabyte can hold a gigabyte of them, which a
  /// decoder reads to the end. Costs about a nanosecond a byte of the pixels; other files pass.
  ///
  /// - Throws: `decode-failed`.
  static func check(_ input: InputFile, limits: Limits) throws(InspectionError) {
    guard input.size <= limits.memoryBytes / 4 else { return }
    let reader = BoxReader(input)
    guard input.bytes(at: 0, count: 8) == PNGFile.signature,
      let width = reader.unsigned(at: 16, size: 4), let height = reader.unsigned(at: 20, size: 4),
      let depth = reader.unsigned(at: 24, size: 1), let kind = reader.unsigned(at: 25, size: 1),
      width > 0, height > 0, depth > 0, depth <= 16,
      Int64(clamping: width).multipliedClamped(by: Int64(clamping: height)) <= limits.pixels
    else { return }
    var stream: [UInt8] = []
    _ = ImageBlocks.walkPNG(reader) { type, data in
      guard type == 0x4944_4154, let size = reader.unsigned(at: data - 8, size: 4) else { return }
      stream += input.bytes(at: data, count: Int(clamping: size))
    }
    // Samples of a pixel by its type: gray, RGB, palette, gray and RGB with alpha (PNG specification, 11.2.2).
    let samples: [UInt64: UInt64] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
    let bits = (samples[kind] ?? 4) * depth
    // Each row has a byte before it and may end inside one, and an interlaced picture has nearly twice as many rows. Some
    // programs write a little more than that.
    let most = (width * bits + 7) / 8 * height * 5 / 4 + 5 * height + 4096
    guard artwork_zlib_exceeds(stream, stream.count, Int(clamping: most)) == 0 else {
      throw InspectionError(
        .decodeFailed, "the picture holds more data than it has pixels",
        advice: "the file is damaged or malicious: export it again")
    }
  }
}
