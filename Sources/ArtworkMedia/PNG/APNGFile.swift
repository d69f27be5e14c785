/// The outer form of an animated PNG file.
package enum APNGFile {
  /// Whether these bytes are an animated PNG file of the form that ``APNGEncoder`` writes, with at most `mostFrames`
  /// frames that fit inside `box`. For files from an untrusted process: the compressed data is not checked.
  package static func isWellFormed(_ bytes: [UInt8], mostFrames: Int, inside box: PixelSize) -> Bool
  {
    guard bytes.starts(with: PNGFile.signature) else { return false }
    var reader = Reader(mostFrames: mostFrames, box: box)
    var offset = 8
    while bytes.count - offset >= 12 {
      let length = number(bytes, at: offset)
      guard length <= bytes.count - offset - 12 else { return false }
      let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      guard reader.takes(type, bytes[offset + 8..<offset + 8 + length]) else { return false }
      offset += 12 + length
    }
    return offset == bytes.count && reader.isComplete
  }

  private static func number(_ bytes: some RandomAccessCollection<UInt8>, at offset: Int) -> Int {
    bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The allowed order of chunks.
  private struct Reader {
    let mostFrames: Int
    let box: PixelSize
    private var size: [Int] = []
    private var frameCount = 0
    private var framesSeen = 0
    private var sequence = 0
    private var needsData = false
    private(set) var isComplete = false

    init(mostFrames: Int, box: PixelSize) {
      self.mostFrames = mostFrames
      self.box = box
    }

    mutating func takes(_ type: String, _ data: ArraySlice<UInt8>) -> Bool {
      if isComplete { return false }
      switch type {
      case "IHDR":
        // 8 bits of RGB or RGBA, deflated, plain filters, not interlaced.
        guard size.isEmpty, data.count == 13,
          data.suffix(5).elementsEqual([8, 2, 0, 0, 0])
            || data.suffix(5).elementsEqual([8, 6, 0, 0, 0])
        else { return false }
        size = [number(data, at: 0), number(data, at: 4)]
        return (1...box.width).contains(size[0]) && (1...box.height).contains(size[1])
      case "gAMA", "sRGB", "cHRM":
        return !size.isEmpty && frameCount == 0 && data.count <= 32
      case "acTL":
        guard !size.isEmpty, frameCount == 0, data.count == 8, number(data, at: 4) == 0 else {
          return false
        }
        frameCount = number(data, at: 0)
        return (1...mostFrames).contains(frameCount)
      case "fcTL":
        guard data.count == 26, !needsData, framesSeen < frameCount, inOrder(data),
          number(data, at: 4) == size[0], number(data, at: 8) == size[1],
          data.dropFirst(12).prefix(8).allSatisfy({ $0 == 0 }),
          data.suffix(2).elementsEqual([0, 0])
        else { return false }
        framesSeen += 1
        needsData = true
        return true
      case "IDAT":
        defer { needsData = false }
        return needsData && framesSeen == 1
      case "fdAT":
        defer { needsData = false }
        return needsData && framesSeen > 1 && data.count > 4 && inOrder(data)
      case "IEND":
        isComplete = data.isEmpty && frameCount > 0 && framesSeen == frameCount && !needsData
        return isComplete
      default: return false
      }
    }

    private mutating func inOrder(_ data: ArraySlice<UInt8>) -> Bool {
      defer { sequence += 1 }
      return number(data, at: 0) == sequence
    }
  }
}
