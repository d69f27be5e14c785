/// A4: small files that decode to huge pictures. A5: containers that lie about the size.
enum OversizedPictures {
  static let files: [HostileFile] =
    [
      bomb("png-15000.mov", "a PNG of 15000x15000 in 218 kB", still(PNGPicture.black, 15000)),
      bomb("png-15000-said-64.mov", "the same, said to be 64x64", still(PNGPicture.black, 15000, said: 64)),
      bomb("apng-15000.apng", "an animated PNG of 15000x15000", PNGPicture.animation(width: 15000, height: 15000)),
      bomb("gif-16000.gif", "a GIF with a canvas of 16000x16000 and frames of 1x1", gif(16000)),
      bomb("gif-65535.gif", "a GIF with a canvas of 65535x65535", gif(65535)),
      bomb("h264-16000.mp4", "H.264 whose sequence parameter set says 16000x16000", h264(16000)),
      bomb("h264-16384.mp4", "H.264 of 16384x16384, beyond libavcodec's own limit", h264(16384)),
      bomb("hevc-16000.mp4", "HEVC of 16000x16000", hevc(16000)), bomb("hevc-16384.mp4", "HEVC of 16384x16384", hevc(16384)),
      bomb("av1-16000.mp4", "AV1 of 16000x16000", av1(16000)), bomb("av1-16384.mp4", "AV1 of 16384x16384", av1(16384)),
      bomb("vp9-16000.mp4", "VP9 of 16000x16000", vp9(16000)),
      bomb("vp9-65536.mp4", "VP9 of 65536x65536, the most its header can say", vp9(65536)),
      bomb(
        "vp8-16383.webm", "VP8 of 16383x16383, the most its header can say",
        overwritten("codec-vp8.webm", after: [0x9d, 0x01, 0x2a], skipping: 0, [0xff, 0x3f, 0xff, 0x3f])),
      HostileFile(
        "A4", "mjpeg-16000.mov", .error("decode-failed"),
        "Motion JPEG of 16000x16000: more blocks than its bits can fill, which libavcodec sees first",
        overwritten("codec-mjpeg.mov", after: [0xff, 0xc0], skipping: 3, be16(16000) + be16(16000))),
      bomb(
        "prores-16000.mov", "ProRes of 16000x16000",
        overwritten("prores-422.mov", after: Bytes("icpf".utf8), skipping: 8, be16(16000) + be16(16000))),
      bomb(
        "rle-16000.mov", "QuickTime Animation, whose size is the container's: 16000x16000",
        resized("codec-qtrle-alpha.mov", entry: "rle ", 16000, 16000).bytes),
    ] + lies

  private static let lies: [HostileFile] = [
    lie(
      "track-65535.mp4", .inspected(facts: ["codedWidth": 96]), "65535x65535 in the track header",
      base.with("moov/trak/tkhd", at: 76, be16(65535) + zeros(2) + be16(65535) + zeros(2)).bytes),
    lie(
      "track-0.mp4", .inspected(facts: ["codedWidth": 96]), "0x0 in the track header",
      base.with("moov/trak/tkhd", at: 76, zeros(8)).bytes),
    lie(
      "entry-65535.mp4", .inspected(facts: ["codedWidth": 96]).or("too-large"),
      "65535x65535 in the sample entry: refused, or the bitstream's size",
      resized("good-1x1.mp4", entry: "avc1", 65535, 65535).bytes),
    lie(
      "entry-0.mp4", .inspected(facts: ["codedWidth": 96]), "0x0 in the sample entry",
      resized("good-1x1.mp4", entry: "avc1", 0, 0).bytes),
    lie(
      "entry-12x10.mp4", .inspected(facts: ["codedWidth": 96]), "12x10 for a picture of 96x96",
      resized("good-1x1.mp4", entry: "avc1", 12, 10).bytes),
    lie(
      "rle-0.mov", .error("decode-failed"), "0x0 and no other size", resized("codec-qtrle-alpha.mov", entry: "rle ", 0, 0).bytes
    ),
  ]

  static let base = MovieFile("good-1x1.mp4")
  static let entryPath = "\(MovieFile.table)/stsd"

  private static func bomb(_ name: String, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes)
    -> HostileFile
  { HostileFile("A4", name, .error("too-large"), reason, make()) }

  private static func lie(
    _ name: String, _ label: HostileFile.Label, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes
  ) -> HostileFile { HostileFile("A5", name, label, reason, make()) }

  /// The size in the sample entry.
  static func resized(_ fixture: String, entry: String, _ width: Int, _ height: Int) -> MovieFile {
    MovieFile(fixture).with("\(entryPath)/\(entry)", at: 24, be16(width) + be16(height))
  }

  private static func still(_ make: (Int, Int) -> Bytes, _ side: Int, said: Int? = nil) -> Bytes {
    let picture = make(side, side)
    let entry = MovieBuilder.visualEntry("png ", width: said ?? side, height: said ?? side)
    return MovieBuilder(entry: entry, samples: [picture], width: said ?? side, height: said ?? side).bytes()
  }

  private static func gif(_ side: Int) -> Bytes {
    let size: Bytes = [UInt8(side & 0xff), UInt8(side >> 8)]
    // A global palette of two colours; each frame is one pixel of the first.
    let head = Bytes("GIF89a".utf8) + size + size + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    let control: Bytes = [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
    let frame: Bytes = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
    return head + (0..<3).flatMap { _ in control + frame } + [0x3b]
  }

  private static func overwritten(_ fixture: String, after mark: Bytes, skipping: Int, _ new: Bytes) -> Bytes {
    var bytes = MovieFile(fixture).bytes
    let places = bytes.places(of: mark)
    precondition(!places.isEmpty, "\(fixture) has no \(mark)")
    for place in places { bytes.overwrite(at: place + mark.count + skipping, with: new) }
    return bytes
  }

  /// The size in the sequence parameter set in `avcC` (ITU-T H.264, 7.3.2.1.1).
  private static func h264(_ side: Int) -> Bytes {
    let path = "\(entryPath)/avc1/avcC"
    let file = resized("h264-baseline.mp4", entry: "avc1", side, side)
    let record = file.payload(path)
    let length = record[6...7].reduce(0) { $0 << 8 | Int($1) }
    var bits = Bits(unescaped(Bytes(record[9..<8 + length])))
    precondition(bits.take(8) == 66, "only baseline is handled")
    _ = bits.take(16)
    _ = (bits.takeGolomb(), bits.takeGolomb())
    if bits.takeGolomb() == 0 { _ = bits.takeGolomb() }
    _ = (bits.takeGolomb(), bits.take(1))
    let set = resized(bits: &bits, to: side / 16 - 1)
    let unit = Bytes(record[8...8]) + escaped(set)
    return file.with(path, payload: Bytes(record[..<6]) + be16(unit.count) + unit + Bytes(record[(8 + length)...])).bytes
  }

  /// Replaces the next two Exp-Golomb codes, width and height.
  private static func resized(bits: inout Bits, to value: Int) -> Bytes {
    var result = bits.head
    _ = (bits.takeGolomb(), bits.takeGolomb())
    result.putGolomb(value)
    result.putGolomb(value)
    result.append(restOf: bits)
    return result.bytes
  }

  /// The size in the sequence parameter set in `hvcC` (ITU-T H.265, 7.3.2.2).
  private static func hevc(_ side: Int) -> Bytes {
    let path = "\(entryPath)/hvc1/hvcC"
    let file = resized("hevc-hvc1.mp4", entry: "hvc1", side, side)
    let record = file.payload(path)
    var result = Bytes(record[..<23])
    var place = 23
    for _ in 0..<Int(record[22]) {
      let type = record[place] & 0x3f
      result += record[place..<place + 3]
      precondition(record[place + 2] == 1, "one unit in each array is handled")
      let length = Int(record[place + 3]) << 8 | Int(record[place + 4])
      var unit = Bytes(record[place + 5..<place + 5 + length])
      if type == 33 {
        var bits = Bits(unescaped(Bytes(unit[2...])))
        _ = bits.take(4)
        precondition(bits.take(3) == 0, "sub-layers are not handled")
        _ = bits.take(1 + 96)
        _ = (bits.takeGolomb(), bits.takeGolomb())
        unit = Bytes(unit[..<2]) + escaped(resized(bits: &bits, to: side))
      }
      result += be16(unit.count) + unit
      place += 5 + length
    }
    return file.with(path, payload: result).bytes
  }

  /// One keyframe, three times, with the size in its own header and in that of the container.
  private static func repeated(_ entry: Bytes, _ sample: Bytes, side: Int) -> Bytes {
    MovieBuilder(entry: entry, samples: Array(repeating: sample, count: 3), width: min(side, 65535), height: min(side, 65535))
      .bytes()
  }

  /// The uncompressed header (VP9 bitstream specification, 6.2): profile 0, size 36 bits in.
  private static func vp9(_ side: Int) -> Bytes {
    let file = MovieFile("codec-vp9.mp4")
    var bits = Bits(file.samples(1)[0])
    precondition(bits.take(8) & 0xf8 == 0x80, "a shown key frame of profile 0 is expected")
    _ = bits.take(28)
    var sample = bits.head
    _ = bits.take(32)
    sample.put(side - 1, 16)
    sample.put(side - 1, 16)
    sample.append(restOf: bits)
    let path = "\(entryPath)/vp09"
    return repeated(
      MovieBuilder.visualEntry(
        "vp09", width: min(side, 65535), height: min(side, 65535), box("vpcC", file.payload("\(path)/vpcC"))), sample.bytes,
      side: side)
  }

  /// The sequence header, in `av1C` and in the sample (AV1 bitstream specification, 5.5).
  private static func av1(_ side: Int) -> Bytes {
    let file = MovieFile("codec-av1.mp4")
    let record = file.payload("\(entryPath)/av01/av1C")
    let extensions = box("av1C", Bytes(record[..<4]) + enlarged(Bytes(record[4...]), side))
    return repeated(
      MovieBuilder.visualEntry("av01", width: side, height: side, extensions), enlarged(file.samples(1)[0], side), side: side)
  }

  private static func enlarged(_ units: Bytes, _ side: Int) -> Bytes {
    var result: Bytes = []
    var place = 0
    while place < units.count {
      let header = units[place]
      precondition(header & 6 == 2, "units with a size and no extension are expected")
      var (size, shift) = (0, 0)
      repeat {
        place += 1
        size |= Int(units[place] & 0x7f) << shift
        shift += 7
      } while units[place] & 0x80 != 0
      var body = Bytes(units[place + 1..<place + 1 + size])
      place += 1 + size
      if header >> 3 & 15 == 1 { body = enlargedSequence(body, side) }
      result.append(header)
      var count = body.count
      while count > 0x7f {
        result.append(UInt8(count & 0x7f | 0x80))
        count >>= 7
      }
      result.append(UInt8(count))
      result += body
    }
    return result
  }

  private static func enlargedSequence(_ body: Bytes, _ side: Int) -> Bytes {
    var bits = Bits(body)
    precondition(bits.take(5) & 1 == 0, "a reduced header is not handled")
    precondition(bits.take(2) == 0, "timing and delays are not handled")
    precondition(bits.take(5) == 0, "operating points are not handled")
    _ = bits.take(12)
    if bits.take(5) > 7 { _ = bits.take(1) }
    var result = bits.head
    let (width, height) = (bits.take(4) + 1, bits.take(4) + 1)
    _ = (bits.take(width), bits.take(height))
    result.put(13, 4)
    result.put(13, 4)
    result.put(side - 1, 14)
    result.put(side - 1, 14)
    result.append(restOf: bits)
    return result.bytes
  }
}
