/// The structure of an animated PNG file from its chunks (W3C PNG, third edition, 4.9 and 11.3.2), without its
/// pixels.
struct APNGLayout {
  /// One frame control with the data that follows it.
  struct Part {
    var place: CleanAperture
    var delay: Rational
    var disposal: UInt8
    /// Whether it is blended over the canvas, or replaces it.
    var isBlended: Bool
    /// The ranges of its compressed data in the file.
    var data: [Range<Int>] = []
  }

  private(set) var size = PixelSize(width: 1, height: 1)
  /// The header after the size: bits of a sample, type of colour, three methods.
  private(set) var form: [UInt8] = []
  private(set) var parts: [Part] = []
  /// Chunks that every frame needs: a palette, and which colours are transparent.
  private(set) var shared: [Range<Int>] = []
  private(set) var isComplete = false
  private(set) var isDamaged = false

  private static let alphaTypes: Set<UInt8> = [4, 6]

  var bitDepth: Int { Int(form.first ?? 8) }
  /// Whether the pixels have an alpha channel, or colours that are transparent.
  var hasAlpha: Bool { form.count > 1 && Self.alphaTypes.contains(form[1]) || hasTransparentColors }
  private var hasTransparentColors = false

  /// - Returns: `nil` for a file of another kind.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: PNGFile.signature) else { return nil }
    func number(_ offset: Int, _ size: Int = 4) -> Int {
      bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }
    var isAnimated = false
    for chunk in PNGChunks(BoxReader(bytes)) {
      guard chunk.isWhole else { break }
      let data = Int(chunk.data.lowerBound)..<Int(chunk.data.upperBound)
      let all = data.lowerBound - 8..<data.upperBound + 4
      switch chunk.name {
      case "IHDR" where data.count == 13 && form.isEmpty:
        let (width, height) = (number(data.lowerBound), number(data.lowerBound + 4))
        guard width > 0, height > 0 else { return nil }
        size = PixelSize(width: width, height: height)
        form = Array(bytes[data.lowerBound + 8..<data.upperBound])
      case "PLTE": shared.append(all)
      case "tRNS":
        shared.append(all)
        hasTransparentColors = true
      case "acTL": isAnimated = true
      case "fcTL" where data.count == 26:
        let start = data.lowerBound
        parts.append(
          Part(
            place: CleanAperture(
              x: number(start + 12), y: number(start + 16), width: number(start + 4),
              height: number(start + 8)),
            delay: Self.delay(number(start + 20, 2), number(start + 22, 2)),
            disposal: bytes[start + 24], isBlended: bytes[start + 25] == 1))
      case "IDAT":
        // Before the first frame control it is the picture of viewers that know no animations.
        if let last = parts.indices.last { parts[last].data.append(data) }
      case "fdAT" where data.count > 4:
        if let last = parts.indices.last {
          parts[last].data.append(data.lowerBound + 4..<data.upperBound)
        }
      case "IEND": isComplete = true
      default: break
      }
      if ["IDAT", "fdAT", "fcTL", "PLTE", "tRNS"].contains(chunk.name),
        Int(PNGChunks.checksum(bytes[data.lowerBound - 4..<data.upperBound]))
          != number(data.upperBound)
      {
        isDamaged = true
      }
    }
    guard isAnimated, !form.isEmpty else { return nil }
  }

  /// A denominator of zero means hundredths; browsers show 10 ms or less for 100.
  private static func delay(_ numerator: Int, _ denominator: Int) -> Rational {
    Rational(Int64(numerator), Int64(denominator == 0 ? 100 : denominator)) ?? Rational(0)
  }
}
