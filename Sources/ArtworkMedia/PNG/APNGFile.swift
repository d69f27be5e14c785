/// The outer form of an animated PNG file.
package enum APNGFile {
  private static let chunks: Set<BoxType> = [
    "pHYs", "gAMA", "sRGB", "cHRM", "acTL", "fcTL", "IDAT", "fdAT",
  ]

  /// Whether these bytes are an animated PNG file as FFmpeg writes it, with at most `mostFrames` frames that fit inside
  /// `box`. For files from an untrusted process: the compressed data is not checked.
  package static func isWellFormed(_ bytes: [UInt8], mostFrames: Int, inside box: PixelSize) -> Bool {
    guard bytes.starts(with: PNGFile.signature), let size = PNGFile.ownSize(bytes),
      size.width <= box.width, size.height <= box.height
    else { return false }
    let reader = BoxReader(bytes)
    func number(_ place: Int64, _ size: Int = 4) -> Int {
      Int(clamping: reader.unsigned(at: place, size: size) ?? .max)
    }
    var (announced, frames, sequence, end) = (0, 0, 0, Int64(0))
    for chunk in PNGChunks(reader).dropFirst() {
      guard chunk.isWhole, end == 0 else { return false }
      let data = chunk.data.lowerBound
      switch chunk.name {
      case "acTL":
        guard announced == 0, chunk.count == 8, number(data + 4) == 0 else { return false }
        announced = number(data)
      case "fcTL":
        guard chunk.count == 26, number(data + 12).addingClamped(number(data + 4)) <= size.width,
          number(data + 16).addingClamped(number(data + 8)) <= size.height
        else { return false }
        frames += 1
      case "IEND": end = chunk.checked.upperBound + 4
      default: guard chunks.contains(chunk.name) else { return false }
      }
      if ["fcTL", "fdAT"].contains(chunk.name) {
        guard announced > 0, number(data) == sequence else { return false }
        sequence += 1
      }
    }
    return (1...mostFrames).contains(frames) && frames == announced && end == Int64(bytes.count)
  }
}
