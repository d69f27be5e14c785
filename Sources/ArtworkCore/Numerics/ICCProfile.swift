import Glibc

/// The parts of an ICC profile that say how its codes look (ICC.1:2022).
struct ICCProfile {
  private let bytes: [UInt8]
  private var tags: [String: Int] = [:]

  /// `nil` for bytes that are no profile.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard word(36) == "acsp", let count = number(128, 4), count <= 256 else { return nil }
    for entry in 0..<count {
      guard let name = word(132 + 12 * entry), let place = number(136 + 12 * entry, 4) else {
        return nil
      }
      tags[name] = place
    }
  }

  /// The colour space of the codes, for example `RGB ` or `CMYK`.
  var space: String { word(16) ?? "" }
  /// The colour space that the profile leads to: `XYZ ` or `Lab `.
  var connection: String { word(20) ?? "" }

  func place(of tag: String) -> Int? { tags[tag] }

  /// An unsigned number of `count` bytes; `nil` beyond the end.
  func number(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  func word(_ place: Int) -> String? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  /// Numbers of type s15Fixed16Number; `nil` beyond the end.
  func fixed(_ place: Int, _ count: Int) -> [Double]? {
    let values = (0..<count).compactMap { number(place + 4 * $0, 4) }
    guard values.count == count else { return nil }
    return values.map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
  }

  /// Numbers of one or two bytes, of which the largest is 1; `nil` beyond the end.
  func units(_ place: Int, _ count: Int, bytes size: Int) -> [Float]? {
    guard place >= 0, count >= 0, place <= bytes.count - count * size else { return nil }
    return (0..<count).map {
      let code = place + size * $0
      return size == 1
        ? Float(bytes[code]) / 255 : Float(Int(bytes[code]) << 8 | Int(bytes[code + 1])) / 65535
    }
  }

  func color(_ tag: String) -> SIMD3<Double>? {
    guard let place = tags[tag], word(place) == "XYZ ", let values = fixed(place + 8, 3) else {
      return nil
    }
    return SIMD3(values)
  }

  // MARK: Curves

  /// Values at equal distances from 0 to 1, joined by lines.
  struct Curve: Sendable {
    private let values: [Float]

    /// - Parameter values: at least one; a single one is constant.
    init(_ values: [Float]) { self.values = values }

    /// Samples a function, cut off outside 0 to 1, at each code of 8 bits and three times between.
    init(_ function: (Double) -> Double) {
      values = (0...1020).map { Float(min(1, max(0, function(Double($0) / 1020)))) }
    }

    /// Cut off outside 0 to 1.
    @inline(__always)
    subscript(place: Float) -> Float {
      let exact = min(1, max(0, place)) * Float(values.count - 1)
      let lower = min(Int(exact), max(0, values.count - 2))
      let (one, other) = (values[lower], values[min(lower + 1, values.count - 1)])
      return one + (other - one) * (exact - Float(lower))
    }

    /// The value at each code of 8 bits.
    var ofCodes: [Double] { (0...255).map { Double(self[Float($0) / 255]) } }
  }

  func curve(_ tag: String) -> Curve? { tags[tag].flatMap { curve(at: $0)?.curve } }

  /// The curves from a place on, one after the other, each on a multiple of four bytes.
  func curves(at start: Int, count: Int) -> [Curve]? {
    var (found, place): ([Curve], Int) = ([], start)
    for _ in 0..<count {
      guard let (curve, size) = curve(at: place) else { return nil }
      found.append(curve)
      place += (size + 3) / 4 * 4
    }
    return found
  }

  private func curve(at place: Int) -> (curve: Curve, size: Int)? {
    switch word(place) {
    case "curv":
      guard let count = number(place + 8, 4), count <= 65536,
        let table = units(place + 12, count, bytes: 2)
      else { return nil }
      let size = 12 + 2 * count
      if count == 0 { return (Curve([0, 1]), size) }
      // One entry is an exponent with eight fractional bits.
      if count == 1 { return (Curve { pow($0, Double(table[0]) * 65535 / 256) }, size) }
      return (Curve(table), size)
    case "para":
      // Parameters of each type (ICC.1:2022, table 68).
      let counts = [1, 3, 4, 5, 7]
      guard let type = number(place + 8, 2), counts.indices.contains(type),
        let p = fixed(place + 12, counts[type]), p[0] > 0
      else { return nil }
      let curve = Curve { code in
        func power(_ added: Double) -> Double { pow(max(0, p[1] * code + p[2]), p[0]) + added }
        switch type {
        case 0: return pow(code, p[0])
        case 1: return p[1] * code + p[2] >= 0 ? power(0) : 0
        case 2: return p[1] * code + p[2] >= 0 ? power(p[3]) : p[3]
        case 3: return code >= p[4] ? power(0) : p[3] * code
        default: return code >= p[4] ? power(p[5]) : p[3] * code + p[6]
        }
      }
      return (curve, 12 + 4 * counts[type])
    default: return nil
    }
  }
}
