/// Counts the frames of a GIF or APNG with a delay of 0 or 10 ms. Browsers (Blink, Gecko) show them for 100 ms, and
/// so do the options of ``Demuxer``; libavformat does not report which frames are affected.
package enum ShortDelays {
  /// Zero for other containers, and for frames after the point where the file is damaged.
  package static func count(in input: InputFile, format: String) -> Int {
    switch format {
    case "gif": gif(BoxReader(input))
    case "apng": apng(BoxReader(input))
    default: 0
    }
  }

  /// The graphic control extensions (GIF89a, 23) hold the delay in hundredths of a second.
  private static func gif(_ reader: BoxReader) -> Int {
    func byte(_ offset: Int64) -> UInt64? { reader.unsigned(at: offset, size: 1) }
    var count = 0
    _ = ImageBlocks.walkGIF(reader) { start in
      if byte(start + 1) == 0xf9, byte(start + 2) == 4, let low = byte(start + 4),
        let high = byte(start + 5), high << 8 | low <= 1
      {
        count += 1
      }
    }
    return count
  }

  /// The frame controls (`fcTL`, APNG specification) hold the delay as a fraction of a second, with zero for 100.
  private static func apng(_ reader: BoxReader) -> Int {
    var count = 0
    _ = ImageBlocks.walkPNG(reader) { type, data in
      if type == 0x6663_544c, let above = reader.unsigned(at: data + 20, size: 2),
        let below = reader.unsigned(at: data + 22, size: 2)
      {
        let hundred: UInt64 = 100
        if above * hundred <= (below == 0 ? hundred : below) { count += 1 }
      }
    }
    return count
  }
}
