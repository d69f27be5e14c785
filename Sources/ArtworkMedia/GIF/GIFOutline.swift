/// The times of a GIF from its blocks, without its pictures.
struct GIFOutline {
  /// The delay of each picture in hundredths of a second, as its graphic control extension states it (GIF89a, 23);
  /// zero without one.
  private(set) var delays: [Int64] = []
  /// How many times it plays; `nil` without end. Without the extension of Netscape it plays once. With it, browsers
  /// repeat it that often after the first time.
  private(set) var playCount: Int? = 1

  init(_ reader: BoxReader) {
    func byte(_ offset: Int64) -> Int64? { reader.unsigned(at: offset, size: 1).map { Int64($0) } }
    func word(_ offset: Int64) -> Int64? {
      byte(offset).flatMap { low in byte(offset + 1).map { $0 << 8 | low } }
    }
    var delay: Int64 = 0
    var (delays, playCount): ([Int64], Int?) = ([], 1)
    _ = ImageBlocks.walkGIF(reader) { start in
      switch (byte(start), byte(start + 1)) {
      case (0x2c, _):
        delays.append(delay)
        delay = 0
      case (0x21, 0xf9): delay = byte(start + 2) == 4 ? word(start + 4) ?? 0 : 0
      case (0x21, 0xff):
        // NETSCAPE2.0 or ANIMEXTS1.0, then a block of three bytes: 1, and the count.
        let name = reader.unsigned(at: start + 3, size: 8)
        if byte(start + 2) == 11, [0x4e45_5453_4341_5045, 0x414e_494d_4558_5453].contains(name),
          byte(start + 14) == 3, byte(start + 15) == 1, let count = word(start + 16)
        {
          playCount = count == 0 ? nil : Int(count) + 1
        }
      default: break
      }
    }
    (self.delays, self.playCount) = (delays, playCount)
  }

  /// Whether it is a GIF whose logical screen has a side of 0 (GIF89a, 18).
  static func isWithoutSize(_ input: InputFile) -> Bool {
    let header = input.bytes(at: 0, count: 10)
    return header.count == 10 && header.starts(with: "GIF8".utf8)
      && (header[6..<8].allSatisfy { $0 == 0 } || header[8..<10].allSatisfy { $0 == 0 })
  }

  /// The longest delay that browsers (Blink, Gecko) replace, and what they replace it by.
  static let (shortDelay, usualDelay): (Int64, Int64) = (1, 10)

  /// The duration of each picture in browsers, in hundredths of a second.
  var durations: [Int64] { delays.map { $0 <= Self.shortDelay ? Self.usualDelay : $0 } }
}

/// Counts the frames of a GIF or APNG with a delay of 0 or 10 ms. Browsers (Blink, Gecko) show them for 100 ms, and
/// so do the options of ``Demuxer``; libavformat does not report which frames are affected.
package enum ShortDelays {
  /// Zero for other containers, and for frames after the point where the file is damaged.
  package static func count(in input: InputFile, format: String) -> Int {
    switch format {
    case "gif": GIFOutline(BoxReader(input)).delays.count { $0 <= GIFOutline.shortDelay }
    case "apng": APNGOutline(BoxReader(input)).shortDelays
    default: 0
    }
  }
}
