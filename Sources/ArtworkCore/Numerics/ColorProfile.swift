import Glibc

/// How the samples of a still become sRGB: by its own curves and primaries, which an ICC profile or numbers state.
///
/// Profiles of three colours with curves and a matrix, and of gray, are read (ICC.1:2022, 8.3 and 8.4): those of cameras,
/// screens and editors. About 10 ns per pixel.
package struct ColorProfile: Sendable {
  /// Linear light of each code of R, G and B.
  private let curves: [[Float]]
  /// The way from linear light to that of sRGB.
  private let matrix: Columns

  /// `nil` for what sRGB already is, to a code value.
  private init?(curves: [[Double]], toPCS: Columns) {
    self.curves = curves.map { $0.map { Float($0) } }
    guard let fromPCS = Self.sRGB.inverse else { return nil }
    matrix = fromPCS * toPCS
    let levels: [UInt8] = [0, 32, 64, 96, 128, 160, 192, 224, 255]
    let samples = levels.flatMap { red in
      levels.flatMap { green in levels.flatMap { blue in [red, green, blue] } }
    }
    let size = PixelSize(width: samples.count / 3, height: 1)
    let converted = applied(to: PixelImage(size: size, channels: .rgb, bytes: samples)).bytes
    if zip(samples, converted).allSatisfy({ abs(Int($0) - Int($1)) <= 1 }) { return nil }
  }

  /// The picture in sRGB. Colours outside of it are cut off, as browsers do; alpha stays.
  package func applied(to image: PixelImage) -> PixelImage {
    let step = image.channels.rawValue
    let (x, y, z) = (matrix.single(0), matrix.single(1), matrix.single(2))
    let encode = ToneMap.encodedSRGB
    let bytes = [UInt8](unsafeUninitializedCapacity: image.bytes.count) { target, used in
      image.bytes.withUnsafeBufferPointer { source in
        curves[0].withUnsafeBufferPointer { red in
          curves[1].withUnsafeBufferPointer { green in
            curves[2].withUnsafeBufferPointer { blue in
              encode.withUnsafeBufferPointer { encode in
                for place in stride(from: 0, to: source.count, by: step) {
                  var pixel =
                    x * red[Int(source[place])] + y * green[Int(source[place + 1])]
                    + z * blue[Int(source[place + 2])]
                  pixel.clamp(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
                  let steps = pixel * Float(encode.count - 1) + 0.5
                  target[place] = encode[Int(steps.x)]
                  target[place + 1] = encode[Int(steps.y)]
                  target[place + 2] = encode[Int(steps.z)]
                  if step == 4 { target[place + 3] = source[place + 3] }
                }
              }
            }
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
  }

  /// The light of codes.
  package enum Curve: Sendable {
    case sRGB
    case power(Double)
    /// That of a screen for BT.709 (ITU-R BT.1886).
    package static let television = power(2.4)
  }

  package init?(_ primaries: Primaries, _ curve: Curve) {
    func tristimulus(_ place: SIMD2<Double>) -> SIMD3<Double> {
      [place.x / place.y, 1, (1 - place.x - place.y) / place.y]
    }
    guard
      [primaries.red, primaries.green, primaries.blue, primaries.white].allSatisfy({
        $0.x >= 0 && $0.y > 0
      })
    else { return nil }
    let raw = Columns(
      tristimulus(primaries.red), tristimulus(primaries.green), tristimulus(primaries.blue))
    guard let inverse = raw.inverse, let toD50 = Columns.adapting(tristimulus(primaries.white))
    else { return nil }
    let share = inverse * tristimulus(primaries.white)
    let toPCS = toD50 * Columns(raw.x * share.x, raw.y * share.y, raw.z * share.z)
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
      case "bt709", "smpte170m", "bt2020-10", "bt2020-12": television
      default: .sRGB
      }
    self.init(primaries, curve)
  }

  /// The way from linear sRGB to the connection space of profiles, with the white D50 (IEC 61966-2-1, adapted by Bradford).
  private static let sRGB = Columns(
    [0.436065674, 0.222488403, 0.013916016], [0.385147095, 0.716873169, 0.097076416],
    [0.143066406, 0.060607910, 0.714096069])
}

extension ColorProfile {
  /// Reads an ICC profile. `nil` for sRGB, and for a profile of another kind, with tables, or damaged.
  package init?(icc bytes: [UInt8]) {
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place <= bytes.count - count else { return nil }
      return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    func word(_ place: Int) -> String? {
      guard place >= 0, place <= bytes.count - 4 else { return nil }
      return String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }
    func fixed(_ place: Int) -> Double? {
      number(place, 4).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }
    guard word(36) == "acsp", let count = number(128, 4), count <= 256 else { return nil }
    var tags: [String: Int] = [:]
    for entry in 0..<count {
      guard let name = word(132 + 12 * entry), let place = number(136 + 12 * entry, 4) else {
        return nil
      }
      tags[name] = place
    }
    func color(_ name: String) -> SIMD3<Double>? {
      guard let place = tags[name], word(place) == "XYZ ", let x = fixed(place + 8),
        let y = fixed(place + 12), let z = fixed(place + 16)
      else { return nil }
      return [x, y, z]
    }
    func curve(_ name: String) -> [Double]? {
      guard let place = tags[name], let kind = word(place) else { return nil }
      let codes = (0...255).map { Double($0) / 255 }
      switch kind {
      case "curv":
        guard let count = number(place + 8, 4), count <= 65536 else { return nil }
        if count == 0 { return codes }
        let table = (0..<count).compactMap { number(place + 12 + 2 * $0, 2) }
        guard table.count == count else { return nil }
        if count == 1 { return codes.map { pow($0, Double(table[0]) / 256) } }
        return codes.map { code in
          let exact = code * Double(count - 1)
          let lower = min(count - 2, Int(exact))
          let (one, other) = (Double(table[lower]), Double(table[lower + 1]))
          return (one + (other - one) * (exact - Double(lower))) / 65535
        }
      case "para":
        // Parameters of each type (ICC.1:2022, table 68).
        guard let type = number(place + 8, 2), type < 5 else { return nil }
        let p = (0..<[1, 3, 4, 5, 7][type]).compactMap { fixed(place + 12 + 4 * $0) }
        guard p.count == [1, 3, 4, 5, 7][type], p[0].isFinite, p[0] > 0 else { return nil }
        return codes.map { code in
          func power(_ added: Double) -> Double { pow(max(0, p[1] * code + p[2]), p[0]) + added }
          switch type {
          case 0: return pow(code, p[0])
          case 1: return p[1] * code + p[2] >= 0 ? power(0) : 0
          case 2: return p[1] * code + p[2] >= 0 ? power(p[3]) : p[3]
          case 3: return code >= p[4] ? power(0) : p[3] * code
          default: return code >= p[4] ? power(p[5]) : p[3] * code + p[6]
          }
        }
      default: return nil
      }
    }
    switch (word(16), word(20)) {
    case ("RGB ", "XYZ "):
      guard let red = color("rXYZ"), let green = color("gXYZ"), let blue = color("bXYZ"),
        let curves = ["rTRC", "gTRC", "bTRC"].map(curve) as? [[Double]]
      else { return nil }
      self.init(curves: curves, toPCS: Columns(red, green, blue))
    case ("GRAY", "XYZ "):
      guard let gray = curve("kTRC") else { return nil }
      self.init(curves: [gray, gray, gray], toPCS: Self.sRGB)
    default: return nil
    }
  }
}

/// A matrix of three columns.
private struct Columns: Sendable {
  var x, y, z: SIMD3<Double>

  init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
    (self.x, self.y, self.z) = (x, y, z)
  }

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

  func single(_ column: Int) -> SIMD3<Float> { SIMD3<Float>([x, y, z][column]) }
}
