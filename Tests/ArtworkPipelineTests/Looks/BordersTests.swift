@testable import ArtworkMeasuring

@Suite struct BordersTests {
  typealias Plane = BoxAverageTests.Plane

  /// Noise from 100 to 227 with bars of `level`.
  static func plane(
    top: Int = 0, bottom: Int = 0, left: Int = 0, right: Int = 0, level: UInt16 = 16, depth: Int = 8, seed: UInt64 = 1
  ) -> Plane {
    var plane = Plane(width: 120, height: 90, depth: 7, seed: seed)
    for y in 0..<90 {
      for x in 0..<120 {
        let isBar = y < top || y >= 90 - bottom || x < left || x >= 120 - right
        plane.rows[y][x] = (isBar ? level : plane.rows[y][x] + 100) << (depth - 8)
      }
    }
    return plane
  }

  static func borders(
    _ planes: [Plane], depth: Int = 8, bottomUp: Bool = false, turn: Orientation = .upright,
    size: PixelSize = PixelSize(width: 120, height: 90)
  ) -> Borders? {
    var scan = BorderScan()
    for plane in planes {
      if depth > 8 {
        unsafe plane.with(UInt16.self, bottomUp: bottomUp) { unsafe scan.add($0, bitDepth: depth) }
      } else {
        unsafe plane.with(UInt8.self, bottomUp: bottomUp) { unsafe scan.add($0, bitDepth: depth) }
      }
    }
    return Borders(scan, DisplayedPicture(orientation: turn, size: size))
  }

  static func depths(_ borders: Borders?) -> [Int] {
    borders.map { [$0.top.depth, $0.bottom.depth, $0.left.depth, $0.right.depth] } ?? []
  }

  @Test(arguments: [8, 10])
  func `bars are found to the pixel, in 8 and 10 bits, top-down and bottom-up`(depth: Int) throws {
    for bottomUp in [false, true] {
      let plane = Self.plane(top: 12, bottom: 17, left: 5, right: 3, level: 40, depth: depth)
      let found = try #require(Self.borders([plane], depth: depth, bottomUp: bottomUp))
      #expect(Self.depths(found) == [12, 17, 5, 3])
      #expect(found.top.straight > 0.9 && found.top.hardness > 0.9 && found.top.early == 0)
      #expect(abs(found.top.level - 40) < 0.01)
      #expect(found.top.contrast > 80 && found.top.texture > 20)
    }
    #expect(Self.depths(Self.borders([Self.plane(depth: depth)], depth: depth)) == [0, 0, 0, 0])
    #expect(Self.borders([]) == nil)
  }

  @Test func `only what is a bar in every frame counts`() {
    let deep = Self.plane(top: 20, bottom: 20)
    #expect(Self.depths(Self.borders([deep, Self.plane(top: 9, bottom: 20)])) == [9, 20, 0, 0])
    #expect(Self.depths(Self.borders([deep, Self.plane()])) == [0, 0, 0, 0])
    // Black frames take nothing away; another colour does.
    let black = Self.plane(top: 90)
    #expect(Self.depths(Self.borders([black, deep, black])) == [20, 20, 0, 0])
    #expect(Self.depths(Self.borders([deep, Self.plane(top: 20, bottom: 20, level: 235)])) == [0, 0, 0, 0])
  }

  @Test func `a colour that covers nearly half of the picture has no edge`() {
    #expect(Self.depths(Self.borders([Self.plane(top: 90)])) == [0, 0, 0, 0])
    #expect(Self.depths(Self.borders([Self.plane(top: 44)])) == [0, 0, 0, 0])
  }

  @Test func `a wedge is not straight, and what sticks out is early`() throws {
    var wedge = Self.plane()
    for x in 0..<120 { for y in 0..<x / 3 { wedge.rows[y][x] = 16 } }
    let slope = try #require(Self.borders([wedge])?.top)
    #expect(slope.straight < 0.4)
    var mark = Self.plane(top: 20)
    for x in 40..<70 { mark.rows[5][x] = 200 }
    let top = try #require(Self.borders([mark])?.top)
    #expect(top.depth == 20 && top.early == 0.25 && top.straight == 0.75)
  }

  @Test func `an edge that coding has blurred is where it is steepest`() throws {
    var plane = Self.plane(top: 20)
    var noise = Noise(seed: 5)
    // Ringing: half of the columns end up to five rows before.
    for y in 15..<20 { for x in 0..<120 where noise.next() >> 40 & 1 == 0 { plane.rows[y][x] = 28 } }
    let top = try #require(Self.borders([plane])?.top)
    #expect(top.depth == 20 && top.early == 0 && top.contrast > 80)
    #expect(top.straight > 0.9)
  }

  @Test func `a gradient has next to no contrast at its edge`() throws {
    var plane = Self.plane()
    for y in 0..<90 { for x in 0..<120 { plane.rows[y][x] = 16 + UInt16(y) } }
    let top = try #require(Self.borders([plane])?.top)
    #expect(top.straight == 1)
    #expect(top.contrast < 6 && top.texture == 0 && top.hardness < 0.25)
  }

  @Test func `sides are those of the displayed picture, in its pixels`() throws {
    let plane = Self.plane(top: 8, bottom: 9, left: 4, right: 6)
    // Clockwise by 90 degrees: the left side comes up, the bottom to the left.
    let clockwise = Orientation(displayMatrix: [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30])
    #expect(clockwise.clockwiseRotation == 90)
    let turned = Self.borders([plane], turn: clockwise, size: PixelSize(width: 90, height: 120))
    #expect(Self.depths(turned) == [4, 6, 9, 8])
    let flipped = Orientation(displayMatrix: [-65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30])
    #expect(Self.depths(Self.borders([plane], turn: flipped)) == [8, 9, 6, 4])
    // Oblong pixels.
    #expect(Self.depths(Self.borders([plane], size: PixelSize(width: 240, height: 90))) == [8, 9, 8, 12])
  }

  @Test func `what a clean aperture cuts off does not count`() {
    let plane = Self.plane(top: 12, bottom: 12, left: 6, right: 6)
    var scan = BorderScan()
    unsafe plane.with(UInt8.self, bottomUp: false) { luma in
      let pixels = unsafe PlanarPixels(luma: luma, blue: luma, red: luma, bitDepth: 8)
      unsafe scan.add(pixels.luma(inside: CleanAperture(x: 6, y: 10, width: 108, height: 70)), bitDepth: 8)
      unsafe #expect(pixels.luma(inside: CleanAperture(x: 60, y: 0, width: 61, height: 9)).width == 120)
    }
    let borders = Borders(scan, DisplayedPicture(orientation: .upright, size: PixelSize(width: 108, height: 70)))
    #expect(Self.depths(borders) == [2, 2, 0, 0])
  }
}
