import Glibc

/// How the samples of a still become sRGB: by its own curves and primaries, which an ICC profile or numbers state, or by the
/// tables of a profile.
///
/// About 10 ns per pixel, 40 with tables.
package struct ColorProfile: Sendable {
  private enum Way: Sendable {
    /// Linear light of each code of R, G and B, and the way from it to that of sRGB.
    case matrix([[Float]], Columns)
    case table(ColorTable)
  }

  private let way: Way

  /// `nil` for what sRGB already is, to a code value.
  private init?(_ way: Way) {
    self.way = way
    let levels: [UInt8] = [0, 32, 64, 96, 128, 160, 192, 224, 255]
    let samples = levels.flatMap { red in
      levels.flatMap { green in levels.flatMap { blue in [red, green, blue] } }
    }
    let size = PixelSize(width: samples.count / 3, height: 1)
    let converted = applied(to: PixelImage(size: size, channels: .rgb, bytes: samples)).bytes
    if zip(samples, converted).allSatisfy({ abs(Int($0) - Int($1)) <= 1 }) { return nil }
  }

  private init?(curves: [[Double]], toPCS: Columns) {
    guard let fromPCS = Columns.sRGB.inverse else { return nil }
    self.init(.matrix(curves.map { $0.map { Float($0) } }, fromPCS * toPCS))
  }

  /// The picture in sRGB. Colours outside of it are cut off, as browsers do; alpha stays.
  package func applied(to image: PixelImage) -> PixelImage {
    switch way {
    case .matrix(let curves, let matrix):
      let (x, y, z) = matrix.singles
      return curves[0].withUnsafeBufferPointer { red in
        curves[1].withUnsafeBufferPointer { green in
          curves[2].withUnsafeBufferPointer { blue in
            Self.mapped(image) { x * red[Int($0)] + y * green[Int($1)] + z * blue[Int($2)] }
          }
        }
      }
    case .table(let table): return Self.mapped(image) { table.light($0, $1, $2) }
    }
  }

  /// - Parameter light: the linear light of sRGB for the codes of a pixel.
  @inline(__always)
  private static func mapped(
    _ image: PixelImage, light: (UInt8, UInt8, UInt8) -> SIMD3<Float>
  ) -> PixelImage {
    let step = image.channels.rawValue
    let bytes = [UInt8](unsafeUninitializedCapacity: image.bytes.count) { target, used in
      image.bytes.withUnsafeBufferPointer { source in
        ToneMap.encodedSRGB.withUnsafeBufferPointer { encode in
          for place in stride(from: 0, to: source.count, by: step) {
            var pixel = light(source[place], source[place + 1], source[place + 2])
            pixel.clamp(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
            let steps = pixel * Float(encode.count - 1) + 0.5
            target[place] = encode[Int(steps.x)]
            target[place + 1] = encode[Int(steps.y)]
            target[place + 2] = encode[Int(steps.z)]
            if step == 4 { target[place + 3] = source[place + 3] }
          }
        }
      }
      used = image.bytes.count
    }
    return PixelImage(size: image.size, channels: image.channels, bytes: bytes)
  }

  // MARK: Numbers

  /// Chromaticities of red, green, blue and white (x, y).
  package struct Primaries: Sendable {
    package var red, green, blue, white: SIMD2<Double>

    package init(
      red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>
    ) {
      (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    private static let d65: SIMD2 = [0.3127, 0.3290]
    private static let c: SIMD2 = [0.310, 0.316]

    package static let sRGB = Primaries(
      red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: d65)

    /// Primaries by FFmpeg's name (ITU-T H.273, table 2); `nil` for those that are not known.
    package init?(named name: String?) {
      switch name {
      case "bt709", nil: self = .sRGB
      case "bt470m":
        self.init(red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: Self.c)
      case "bt470bg":
        self.init(red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06], white: Self.d65)
      case "smpte170m", "smpte240m":
        self.init(red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: Self.d65)
      case "film":
        self.init(
          red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: Self.c)
      case "bt2020":
        self.init(
          red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: Self.d65)
      case "smpte431":
        self.init(
          red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351])
      case "smpte432":
        self.init(red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: Self.d65)
      case "ebu3213":
        self.init(
          red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: Self.d65)
      default: return nil
      }
    }

    /// The way from linear light to the connection space of profiles; `nil` for what are no primaries.
    var toPCS: Columns? {
      func tristimulus(_ place: SIMD2<Double>) -> SIMD3<Double> {
        [place.x / place.y, 1, (1 - place.x - place.y) / place.y]
      }
      guard [red, green, blue, white].allSatisfy({ $0.x >= 0 && $0.y > 0 }) else { return nil }
      let raw = Columns(tristimulus(red), tristimulus(green), tristimulus(blue))
      guard let inverse = raw.inverse, let toD50 = Columns.adapting(tristimulus(white)) else {
        return nil
      }
      let share = inverse * tristimulus(white)
      return toD50 * Columns(raw.x * share.x, raw.y * share.y, raw.z * share.z)
    }
  }

  /// The light of codes.
  package enum Curve: Sendable {
    case sRGB
    case power(Double)
    /// That of a screen for BT.709 (ITU-R BT.1886).
    package static let television = power(2.4)
  }

  package init?(_ primaries: Primaries, _ curve: Curve) {
    guard let toPCS = primaries.toPCS else { return nil }
    let light = (0...255).map { code in
      let value = Double(code) / 255
      return switch curve {
      case .sRGB: value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      case .power(let exponent): pow(value, min(20, max(0.05, exponent)))
      }
    }
    self.init(curves: [light, light, light], toPCS: toPCS)
  }

  /// `nil` for sRGB, HDR, and what is not known.
  ///
  /// - Parameter television: the curve for BT.709 and its relatives, about which browsers differ by format.
  package init?(_ color: ColorDescription, television: Curve) {
    guard !color.isHDR, let primaries = Primaries(named: color.primaries) else { return nil }
    let curve: Curve =
      switch color.transfer {
      case "bt470m", "gamma22": .power(2.2)
      case "bt470bg", "gamma28": .power(2.8)
      case "linear": .power(1)
      case "smpte428": .power(2.6)
      case "bt709", "smpte170m", "bt2020-10", "bt2020-12", "iec61966-2-4": television
      default: .sRGB
      }
    self.init(primaries, curve)
  }
}

extension ColorProfile {
  /// The code points of ITU-T H.273 in an ICC profile, which count before all else in it (ICC.1:2022, 9.2.17).
  package static func codes(icc bytes: [UInt8]) -> (primaries: Int, transfer: Int)? {
    guard let profile = ICCProfile(bytes), let place = profile.place(of: "cicp"),
      profile.word(place) == "cicp", let primaries = profile.number(place + 8, 1),
      let transfer = profile.number(place + 9, 1)
    else { return nil }
    return (primaries, transfer)
  }

  /// Reads an ICC profile. `nil` for sRGB, and for a damaged one or one of another kind, which browsers pass over too.
  ///
  /// - Parameter isPrinted: whether the picture has the colours of inks, with black already among the others. As in
  ///   Chromium, the profile counts after that.
  package init?(icc bytes: [UInt8], isPrinted: Bool = false) {
    guard let profile = ICCProfile(bytes), isPrinted == (profile.space == "CMYK") else {
      return nil
    }
    if let table = ColorTable(profile) {
      self.init(.table(table))
      return
    }
    switch (profile.space, profile.connection) {
    case ("RGB ", "XYZ "):
      guard let red = profile.color("rXYZ"), let green = profile.color("gXYZ"),
        let blue = profile.color("bXYZ"),
        let curves = ["rTRC", "gTRC", "bTRC"].map(profile.curve) as? [ICCProfile.Curve]
      else { return nil }
      self.init(curves: curves.map(\.ofCodes), toPCS: Columns(red, green, blue))
    case ("GRAY", "XYZ "):
      guard let gray = profile.curve("kTRC")?.ofCodes else { return nil }
      self.init(curves: [gray, gray, gray], toPCS: .sRGB)
    default: return nil
    }
  }
}

/// A matrix of three columns.
struct Columns: Sendable {
  var x, y, z: SIMD3<Double>

  init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// The way from linear sRGB to the connection space of profiles, with the white D50 (IEC 61966-2-1, adapted by Bradford).
  static let sRGB = Columns(
    [0.436065674, 0.222488403, 0.013916016], [0.385147095, 0.716873169, 0.097076416],
    [0.143066406, 0.060607910, 0.714096069])

  static func * (one: Columns, vector: SIMD3<Double>) -> SIMD3<Double> {
    one.x * vector.x + one.y * vector.y + one.z * vector.z
  }

  static func * (one: Columns, other: Columns) -> Columns {
    Columns(one * other.x, one * other.y, one * other.z)
  }

  /// `nil` for one that has none.
  var inverse: Columns? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    let rows = [cross(y, z), cross(z, x), cross(x, y)]
    let determinant = (x * rows[0]).sum()
    guard abs(determinant) > 1e-9 else { return nil }
    func column(_ place: Int) -> SIMD3<Double> {
      [rows[0][place], rows[1][place], rows[2][place]] / determinant
    }
    return Columns(column(0), column(1), column(2))
  }

  /// The way from a white to D50, by Bradford's cones (ICC.1:2022, annex E).
  static func adapting(_ white: SIMD3<Double>) -> Columns? {
    let cones = Columns(
      [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296])
    guard let back = cones.inverse else { return nil }
    let (from, to) = (cones * white, cones * [0.96422, 1, 0.82521])
    guard from.min() > 0 else { return nil }
    let gain = to / from
    return back
      * Columns(
        [gain.x, 0, 0], [0, gain.y, 0], [0, 0, gain.z]) * cones
  }

  typealias Singles = (x: SIMD3<Float>, y: SIMD3<Float>, z: SIMD3<Float>)

  /// Its columns for the arithmetic of pixels.
  var singles: Singles { (SIMD3<Float>(x), SIMD3<Float>(y), SIMD3<Float>(z)) }
}
