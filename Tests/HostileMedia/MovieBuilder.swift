/// A movie with one video track, every table of which can be replaced.
struct MovieBuilder {
  var entry: Bytes
  var samples: [Bytes]
  var width: Int
  var height: Int
  var timeScale = 24
  var delta = 1
  var handler = "vide"
  /// Replacements for the tables that follow from the samples.
  var tables: [String: Bytes] = [:]
  /// More boxes at the end of `trak` and of `moov`.
  var trackExtras: Bytes = []
  var movieExtras: Bytes = []
  var brand = "isom"

  static func visualEntry(_ type: String, width: Int, height: Int, _ extensions: Bytes = []) -> Bytes {
    box(
      type, zeros(6), be16(1), zeros(16), be16(width), be16(height), be32([0x48_0000, 0x48_0000]), zeros(4), be16(1), zeros(32),
      be16(24), be16(0xffff), extensions)
  }

  static func header(timeScale: Int, duration: Int) -> Bytes {
    fullBox("mvhd", be32([0, 0, timeScale, duration, 0x10000]), be16(0x100), zeros(10), matrix, zeros(24), be32(2))
  }

  static let matrix = be32([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000])

  func track(number: Int = 1, dataStart: Int) -> Bytes {
    let duration = samples.count * delta
    func table(_ type: String, _ content: @autoclosure () -> Bytes) -> Bytes { tables[type] ?? fullBox(type, content()) }
    let stbl = box(
      "stbl", fullBox("stsd", be32(1), entry), table("stts", be32([1, samples.count, delta])),
      table("stsc", be32([1, 1, max(1, samples.count), 1])),
      table("stsz", be32([0, samples.count]) + be32(samples.map(\.count))), table("stco", be32([1, dataStart])))
    let media = fullBox(handler == "vide" ? "vmhd" : "smhd", flags: 1, zeros(8))
    let dinf = box("dinf", table("dref", be32(1) + fullBox("url ", flags: 1)))
    return box(
      "trak",
      fullBox("tkhd", flags: 3, be32([0, 0, number, 0, duration]), zeros(16), Self.matrix, be32([width << 16, height << 16])),
      box(
        "mdia", fullBox("mdhd", be32([0, 0, timeScale, duration]), be16(0x55c4), be16(0)),
        fullBox("hdlr", zeros(4), Bytes(handler.utf8), zeros(13)), box("minf", media, dinf, stbl)), trackExtras)
  }

  /// - Parameter copies: of the track, each with a separate number.
  func bytes(copies: Int = 1) -> Bytes {
    let start = box("ftyp", Bytes(brand.utf8), be32(0x200), Bytes("isom".utf8))
    let data = samples.reduce(into: Bytes()) { $0 += $1 }
    let tracks = (0..<copies).map { track(number: $0 + 1, dataStart: start.count + 8) }
    return start + box("mdat", data)
      + box(
        "moov", Self.header(timeScale: timeScale, duration: samples.count * delta), tracks.reduce(into: Bytes()) { $0 += $1 },
        movieExtras)
  }
}
