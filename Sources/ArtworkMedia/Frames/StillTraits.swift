/// What the file of a still states beside its samples: how the picture is turned, and its colours.
struct StillTraits {
  /// `nil` for one that is upright.
  var displayMatrix: [Int32]?
  /// The colours by numbers; `nil` if they are not stated so.
  var color: ColorDescription?
  /// The bytes of an ICC profile that the container states; others are in the frame.
  var icc: [UInt8]?
  private var isPNG = false
  /// The colours of a PNG file without an ICC profile.
  var fallback: ColorProfile?
  /// The brightest light in cd/m², which the container states; see ``MasteringLight/peak``.
  var peak: Float?

  /// The form of the first picture, whose colours all of an animation have: only with it does FFmpeg give an ICC profile.
  private final class Known {
    var first: DecodedFormat?
  }
  private let known = Known()

  init() {}

  /// Reads the chunks of a PNG file, which has more of them than the decoder knows; of other files, the profile.
  init(of input: InputFile, _ stream: VideoStream) {
    icc = stream.iccProfile
    isPNG = ["png", "apng"].contains(stream.codecName)
    guard isPNG else { return }
    let reader = BoxReader(input)
    func number(_ place: Int64, _ size: Int = 4) -> Int {
      Int(clamping: reader.unsigned(at: place, size: size) ?? 0)
    }
    func point(_ place: Int64) -> SIMD2<Double> {
      [Double(number(place)) / 100_000, Double(number(place + 4)) / 100_000]
    }
    var (gamma, primaries): (Double?, ColorProfile.Primaries?)
    var isSRGB = false
    var (light, display): (Int?, Int?)
    // PNG, third edition, 11.3.2 to 11.3.4.
    for chunk in PNGChunks(reader) {
      let (data, size) = (chunk.data.lowerBound, chunk.count)
      switch chunk.name {
      // As in browsers, one of a limited range or with a matrix does not count.
      case "cICP" where size == 4 && number(data + 2, 2) == 1:
        color = ColorDescription(
          primaries: number(data, 1), transfer: number(data + 1, 1), matrix: nil,
          isFullRange: true)
      case "cLLI" where size == 8: light = number(data)
      case "mDCV" where size == 24: display = number(data + 16)
      case "sRGB": isSRGB = true
      case "gAMA" where size == 4 && number(data) > 0:
        gamma = 100_000 / Double(number(data))
      case "cHRM" where size == 32:
        primaries = ColorProfile.Primaries(
          red: point(data + 8), green: point(data + 16), blue: point(data + 24),
          white: point(data))
      case "eXIf" where displayMatrix == nil:
        displayMatrix = Self.displayMatrix(exif: input.bytes(at: data, count: min(size, 1 << 16)))
      default: break
      }
    }
    peak = MasteringLight.peak(light, display)
    // As in browsers, primaries alone do not count, and 1/2.2 alone is sRGB.
    if !isSRGB, let gamma, primaries != nil || abs(gamma - 2.2) > 0.01 {
      fallback = ColorProfile(primaries ?? .sRGB, .power(gamma))
    }
  }

  /// The turn that the first directory of Exif data states (Exif 3.0, 4.6.5.1); `nil` for none.
  ///
  /// - Parameter bytes: from the header of TIFF on.
  static func displayMatrix(exif bytes: [UInt8]) -> [Int32]? {
    let isLittle = bytes.starts(with: "II".utf8)
    guard isLittle || bytes.starts(with: "MM".utf8) else { return nil }
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place <= bytes.count - count else { return nil }
      let part = bytes[place..<place + count]
      return isLittle
        ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let count = number(directory, 2),
      let entry = (0..<count).lazy.map({ directory + 2 + 12 * $0 }).first(where: {
        number($0, 2) == 0x0112
      }), let value = number(entry + 8, 2)
    else { return nil }
    return Orientation.matrix(exif: value)
  }

  /// The form of a decoded picture, without its colours.
  func turned(_ decoded: DecodedFormat) -> DecodedFormat {
    var format = decoded
    format.displayMatrix = format.displayMatrix ?? displayMatrix
    return format
  }

  /// The form of a decoded picture with these traits.
  func format(_ decoded: DecodedFormat, of frame: borrowing Frame) -> DecodedFormat {
    var format = turned(decoded)
    let first = known.first ?? colored(format, of: frame)
    known.first = first
    (format.color, format.colorProfile, format.shoulder) = (
      first.color, first.colorProfile, first.shoulder
    )
    return format
  }

  private func colored(_ decoded: DecodedFormat, of frame: borrowing Frame) -> DecodedFormat {
    var format = decoded
    if let color { format.color = color }
    // An AVIF picture may state both, of which the profile counts.
    let icc = icc ?? (color == nil ? frame.iccProfile : nil)
    let codes = icc.flatMap { ColorDescription(icc: $0) }
    if icc != nil {
      (format.color.primaries, format.color.transfer) = (codes?.primaries, codes?.transfer)
    }
    if let icc, codes == nil {
      // The decoder of JPEG makes pictures of four channels from inks, and has added black to the others.
      format.colorProfile = ColorProfile(
        icc: icc, isPrinted: format.codec == "mjpeg" && format.hasAlpha)
    } else {
      format.colorProfile =
        icc == nil && color == nil && isPNG
        ? fallback : ColorProfile(format.color, television: isPNG ? .television : .sRGB)
    }
    format.shoulder = (peak ?? format.light?.peak).map { .browser(peak: $0) } ?? .browser()
    // Stills are BT.601 unless they state otherwise (JFIF; MIAF for AVIF), whatever their size.
    format.color.matrix = format.color.matrix ?? "smpte170m"
    return format
  }
}
