/// Counts the frames of a GIF or APNG with a delay of 0 or 10 ms. Browsers (Blink, Gecko) show them for 100 ms, and
/// so do the options of ``Demuxer``; libavformat does not report which frames are affected.
package enum ShortDelays {
  /// Zero for other containers, and for frames after the point where the file is damaged.
  package static func count(in input: InputFile, format: String) -> Int {
    switch format {
    case "gif": GIFOutline(BoxReader(input)).delays.count { $0 <= GIFOutline.shortDelay }
    case "apng": apng(BoxReader(input))
    default: 0
    }
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
