/// How the samples of a picture become sRGB.
struct PictureColors: Sendable {
  /// The numbers that state them.
  var stated: ColorDescription
  /// `nil` for sRGB, and HDR.
  var profile: ColorProfile?
  /// How its inks were stored, the last of which is black in place of alpha; `nil` for a picture of light.
  var inks: StoredInks?
  /// What becomes of HDR.
  var shoulder = ToneMap.Shoulder.master
  /// Whether a new file cannot state them.
  var isColoredAsStill: Bool {
    if case .browser = shoulder { profile != nil || stated.isHDR } else { false }
  }

  /// A picture with these colours in sRGB.
  func shown(_ picture: PixelImage) -> PixelImage {
    if stated.isHDR {
      return ToneMap.sRGB(
        picture.bytes.map { UInt16($0) * 257 }, size: picture.size, channels: picture.channels,
        color: stated, shoulder: shoulder)
    }
    guard let inks else { return profile?.applied(to: picture) ?? picture }
    let light = inks.light(of: picture)
    return profile?.applied(to: light).withoutBlack(dimming: false) ?? light.withoutBlack(dimming: true)
  }
}

/// What a file states beside its samples: how the picture is turned, and its colours.
struct PictureTraits {
  enum Kind { case video, png, still }

  let kind: Kind
  /// `nil` for one that is upright.
  var displayMatrix: [Int32]?
  /// The colours by numbers; `nil` if they are not stated so.
  var color: ColorDescription?
  /// How it stores inks; `nil` for a picture of light.
  private(set) var inks: StoredInks?
  /// The bytes of an ICC profile that the container states; others are in the frame.
  var icc: [UInt8]?
  /// The colours of a PNG file without an ICC profile.
  private var fallback: ColorProfile?
  /// The brightest light in cd/m², which the container states; see ``MasteringLight/peak``.
  var peak: Float?

  /// The colours of the first picture, which all of an animation have.
  private final class Known {
    var colors: PictureColors?
  }
  private let known = Known()

  init(_ kind: Kind) { self.kind = kind }

  /// - Parameter isPicture: whether the file is a still or an animated picture.
  init(of input: InputFile, _ stream: VideoStream, isPicture: Bool) {
    guard isPicture else {
      self.init(.video)
      return
    }
    if unsafe ["png", "apng"].contains(stream.codecName) {
      self.init(png: input)
    } else {
      self.init(.still)
      icc = unsafe stream.iccProfile
      inks = input.storedInks
    }
  }

  /// Reads the chunks of a WebP file.
  init(webP bytes: [UInt8]) {
    self.init(.still)
    // Chunks after the name of the form, padded to an even length (RFC 9649, 2.3). Browsers ignore a turn in Exif data.
    var place = 12
    while place + 8 <= bytes.count, icc == nil {
      let size = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      if bytes[place..<place + 4].elementsEqual("ICCP".utf8) {
        icc = Array(bytes[place + 8..<min(bytes.count, place + 8 + size)])
      }
      place += 8 + size + size & 1
    }
  }

  /// Reads the chunks of a PNG file, which has more of them than decoders know.
  init(png input: InputFile) {
    self.init(.png)
    let reader = BoxReader(input)
    func number(_ place: Int64, _ size: Int = 4) -> Int {
      Int(clamping: reader.unsigned(at: place, size: size) ?? 0)
    }
    var (gamma, primaries): (Double?, [Double]?)
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
        // White comes first.
        primaries = (0..<8).map { Double(number(data + Int64($0 + 2) % 8 * 4)) / 100_000 }
      case "iCCP" where icc == nil:
        icc = PNGWeight.profile(input.bytes(at: data, count: min(size, PNGWeight.mostText)))
      case "eXIf" where displayMatrix == nil:
        displayMatrix = Self.displayMatrix(exif: input.bytes(at: data, count: min(size, 1 << 16)))
      default: break
      }
    }
    peak = MasteringLight.peak(light, display)
    // As in browsers, primaries alone do not count, and 1/2.2 alone is sRGB.
    if !isSRGB, let gamma, primaries != nil || abs(gamma - 2.2) > 0.01 {
      fallback = ColorProfile(primaries.map { .init($0) } ?? .sRGB, .power(gamma))
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
    format.colors =
      known.colors ?? colors(format.color, icc: icc ?? frame.iccProfile, peak: format.light?.peak)
    known.colors = format.colors
    return format
  }

  /// The colours of pictures that another decoder than FFmpeg reads.
  var colors: PictureColors { colors(ColorDescription(), icc: icc) }

  private func colors(
    _ stated: ColorDescription, icc: [UInt8]?, peak own: Float? = nil
  ) -> PictureColors {
    var colors = PictureColors(stated: color ?? stated, inks: inks)
    if kind == .video {
      // As in Chromium, the primaries of BT.601 for 525 lines are those of BT.709.
      if !["smpte170m", "smpte240m"].contains(stated.primaries) {
        colors.profile = ColorProfile(stated, television: .sRGB)
      }
      return colors
    }
    colors.shoulder = .browser(peak: peak ?? own ?? 1000)
    // Of PNG the numbers count, of AVIF the profile.
    let icc = kind == .png && color != nil ? nil : icc
    let codes = icc.flatMap { ColorDescription(icc: $0) }
    if icc != nil {
      (colors.stated.primaries, colors.stated.transfer) = (codes?.primaries, codes?.transfer)
    }
    if let icc, codes == nil {
      colors.profile = ColorProfile(icc: icc, isPrinted: inks != nil)
    } else {
      colors.profile =
        icc == nil && color == nil && kind == .png
        ? fallback
        : ColorProfile(colors.stated, television: kind == .png ? .television : .sRGB)
    }
    // Stills are BT.601 unless they state otherwise (JFIF; MIAF for AVIF), whatever their size.
    colors.stated.matrix = colors.stated.matrix ?? "smpte170m"
    return colors
  }
}
