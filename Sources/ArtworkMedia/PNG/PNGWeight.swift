import CPNG

/// How much data a PNG picture holds.
enum PNGWeight {
  /// Bytes of all compressed texts and the colour profile, as many as libpng allows for one.
  static let mostText = 8_000_000

  /// The texts before the compressed one, each with a zero at its end, in chunks of zTXt, iCCP and iTXt (PNG specification,
  /// 11.3).
  private static let fieldsBeforeText: [BoxType: Int] = ["zTXt": 1, "iCCP": 1, "iTXt": 3]

  /// - Returns: `nil` for a chunk without one.
  static func compressedText(_ chunk: ArraySlice<UInt8>, after fields: Int) -> [UInt8]? {
    guard let keyword = chunk.firstIndex(of: 0) else { return nil }
    var rest = chunk[(keyword + 1)...]
    if fields == 1 { return Array(rest.dropFirst()) }
    guard rest.popFirst() == 1 else { return nil }
    rest = rest.dropFirst()
    for _ in 1..<fields {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      rest = rest[(end + 1)...]
    }
    return Array(rest)
  }

  /// The profile in the data of a chunk of iCCP; `nil` for what cannot be unpacked.
  static func profile(_ chunk: [UInt8]) -> [UInt8]? {
    guard let stream = compressedText(chunk[...], after: 1) else { return nil }
    let length = unsafe artwork_zlib_length(stream, stream.count, mostText, nil)
    guard (1...mostText).contains(length) else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, used in
      used = unsafe artwork_zlib_length(stream, stream.count, length, buffer.baseAddress)
    }
  }

  /// Refuses a PNG picture whose data inflates to more than its pixels take, or whose texts do to more than anybody reads: a
  /// megabyte can hold a gigabyte of them, which a decoder reads to the end. Costs about a nanosecond a byte of the pixels; other files pass.
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
    var room = mostText
    for chunk in PNGChunks(reader) {
      if chunk.name == "IDAT" {
        stream += input.bytes(at: chunk.data.lowerBound, count: chunk.count)
      } else if let fields = fieldsBeforeText[chunk.name], room >= 0 {
        let data = input.bytes(at: chunk.data.lowerBound, count: chunk.count)
        guard let text = compressedText(data[...], after: fields) else { continue }
        let length = unsafe artwork_zlib_length(text, text.count, room, nil)
        // A decoder finds out late that one is damaged.
        room -= length > 0 ? length : mostText / 8
      }
    }
    guard room >= 0 else {
      throw InspectionError(
        .decodeFailed, "the picture holds more than \(mostText / 1_000_000) MB of compressed text",
        advice: "the file is damaged or malicious: export it again")
    }
    // Samples of a pixel by its type: gray, RGB, palette, gray and RGB with alpha (PNG specification, 11.2.2).
    let samples: [UInt64: UInt64] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
    let bits = (samples[kind] ?? 4) * depth
    // Each row has a byte before it and may end inside one, and an interlaced picture has nearly twice as many rows. Some
    // programs write a little more than that.
    let most = (width * bits + 7) / 8 * height * 5 / 4 + 5 * height + 4096
    guard unsafe artwork_zlib_length(stream, stream.count, Int(clamping: most), nil) <= most else {
      throw InspectionError(
        .decodeFailed, "the picture holds more data than it has pixels",
        advice: "the file is damaged or malicious: export it again")
    }
  }
}
