/// The tables of an ICC profile: from codes through a grid to linear light of sRGB (ICC.1:2022, 10.10 to 10.12).
struct ColorTable: Sendable {
  private typealias Curves = [ICCProfile.Curve]

  /// Where each code of the three channels lies among the points of the grid.
  private var places: [[Float]] = []
  /// Points of each channel, of which the first varies most slowly.
  private var points: [Int] = []
  private var grid: [SIMD3<Float>] = []
  /// What follows the grid, before the last curves.
  private var middle: (curves: Curves, matrix: Columns.Singles, offset: SIMD3<Float>)?
  private var curves: Curves
  /// Whether it leads to Lab; else to XYZ.
  private let isLab: Bool
  /// The largest number of the connection space.
  private var largest: Float
  private let toSRGB: Columns.Singles

  /// `nil` for a profile without tables, with others than from RGB or CMYK, or with damaged ones.
  ///
  /// Inks are read as those of a picture without black, which the other inks have.
  init?(_ profile: ICCProfile) {
    guard let start = profile.place(of: "A2B0") ?? profile.place(of: "A2B1"),
      let inputs = ["RGB ": 3, "CMYK": 4][profile.space],
      profile.number(start + 8, 1) == inputs, profile.number(start + 9, 1) == 3,
      let toSRGB = Columns.sRGB.inverse
    else { return nil }
    isLab = profile.connection == "Lab "
    guard isLab || profile.connection == "XYZ " else { return nil }
    self.toSRGB = toSRGB.singles
    largest = isLab ? 1 : 65535 / 32768
    curves = []
    switch profile.word(start) {
    case "mft1", "mft2":
      let size = profile.word(start) == "mft1" ? 1 : 2
      let lengths =
        size == 1 ? [256, 256] : [48, 50].compactMap { profile.number(start + $0, 2) }
      guard let side = profile.number(start + 10, 1), lengths.count == 2,
        lengths.allSatisfy({ $0 > 1 })
      else { return nil }
      let data = start + (size == 1 ? 48 : 52)
      let places = data + size * inputs * lengths[0]
      func tables(_ place: Int, _ count: Int, _ length: Int) -> Curves? {
        let tables = (0..<count).compactMap {
          profile.units(place + size * length * $0, length, bytes: size)
        }
        return tables.count == count ? tables.map { ICCProfile.Curve($0) } : nil
      }
      let sides = [Int](repeating: side, count: inputs)
      guard let first = tables(data, inputs, lengths[0]),
        let end = read(profile, first, sides, at: places, bytes: size),
        let last = tables(end, 3, lengths[1])
      else { return nil }
      curves = last
      // Lab of 16 bits is in its older form here.
      if isLab, size == 2 { largest = 65535 / 65280 }
    case "mAB ":
      func place(_ offset: Int) -> Int? {
        profile.number(start + offset, 4).flatMap { $0 == 0 ? nil : start + $0 }
      }
      guard let last = place(12).flatMap({ profile.curves(at: $0, count: 3) }),
        let table = place(24),
        let first = place(28).flatMap({ profile.curves(at: $0, count: inputs) }),
        let size = profile.number(table + 16, 1), size == 1 || size == 2
      else { return nil }
      let sides = (0..<inputs).compactMap { profile.number(table + $0, 1) }
      guard read(profile, first, sides, at: table + 20, bytes: size) != nil else { return nil }
      curves = last
      if let matrix = place(16), let middle = place(20) {
        guard let numbers = profile.fixed(matrix, 12),
          let curves = profile.curves(at: middle, count: 3)
        else { return nil }
        func column(_ place: Int) -> SIMD3<Double> {
          [numbers[place], numbers[place + 3], numbers[place + 6]]
        }
        self.middle = (
          curves, Columns(column(0), column(1), column(2)).singles,
          SIMD3(numbers[9...].map { Float($0) })
        )
      }
    default: return nil
    }
  }

  /// Reads the grid that follows the first curves.
  ///
  /// - Parameter sides: points of each channel.
  /// - Returns: the place after it.
  private mutating func read(
    _ profile: ICCProfile, _ first: Curves, _ sides: [Int], at place: Int, bytes size: Int
  ) -> Int? {
    let inks = sides.count == 4
    guard sides.allSatisfy({ $0 > 1 }), sides[0] * sides[1] * sides[2] <= 1 << 24 else {
      return nil
    }
    let step = sides.dropFirst(3).first ?? 1
    let count = sides[0] * sides[1] * sides[2]
    guard let values = profile.units(place, 3 * count * step, bytes: size) else { return nil }
    func point(_ number: Int) -> SIMD3<Float> {
      SIMD3(values[3 * number], values[3 * number + 1], values[3 * number + 2])
    }
    // Between the two points at which there is no black.
    let black = inks ? first[3][0] * Float(step - 1) : 0
    let lower = min(Int(black), max(0, step - 2))
    let share = black - Float(lower)
    grid = (0..<count).map {
      let one = point($0 * step + lower)
      return inks ? one + (point($0 * step + lower + 1) - one) * share : one
    }
    points = Array(sides.prefix(3))
    // No light is all ink.
    places = (0..<3).map { channel in
      (0...255).map { code in
        first[channel][Float(inks ? 255 - code : code) / 255] * Float(sides[channel] - 1)
      }
    }
    return place + 3 * count * step * size
  }

  /// The linear light of sRGB, which may lie outside 0 to 1.
  func light(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD3<Float> {
    let exact = SIMD3(places[0][Int(red)], places[1][Int(green)], places[2][Int(blue)])
    let most = SIMD3(points[0], points[1], points[2]) &- 2
    let x = min(most.x, Int(exact.x))
    let (y, z) = (min(most.y, Int(exact.y)), min(most.z, Int(exact.z)))
    let share = exact - SIMD3(Float(x), Float(y), Float(z))
    func line(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let place = (x * points[1] + y) * points[2] + z
      return grid[place] + (grid[place + 1] - grid[place]) * share.z
    }
    func plane(_ x: Int) -> SIMD3<Float> {
      let one = line(x, y)
      return one + (line(x, y + 1) - one) * share.y
    }
    let one = plane(x)
    var value = one + (plane(x + 1) - one) * share.x
    if let middle {
      value = SIMD3(middle.curves[0][value.x], middle.curves[1][value.y], middle.curves[2][value.z])
      value =
        middle.matrix.x * value.x + middle.matrix.y * value.y + middle.matrix.z * value.z
        + middle.offset
    }
    value = SIMD3(curves[0][value.x], curves[1][value.y], curves[2][value.z]) * largest
    if isLab { value = Self.tristimulus(lab: value) }
    return toSRGB.x * value.x + toSRGB.y * value.y + toSRGB.z * value.z
  }

  /// XYZ with the white D50 for coded CIELAB: 0 to 1 is L* of 0 to 100, a* and b* of -128 to 127 (ICC.1:2022, 6.3.4.2).
  private static func tristimulus(lab: SIMD3<Float>) -> SIMD3<Float> {
    let y = (lab.x * 100 + 16) / 116
    let root = SIMD3(y + (lab.y * 255 - 128) / 500, y, y - (lab.z * 255 - 128) / 200)
    let light = (root * root * root).replacing(
      with: (root - 16 / 116) * (108 / 841), where: root .<= 6 / 29)
    return light * [0.9642, 1, 0.8249]
  }
}
