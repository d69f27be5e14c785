@Suite struct OrientationTests {
  struct Named: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// a, b, c, d of the display matrix: a point (p, q) is displayed at (a*p + c*q, b*p + d*q).
    var matrix: [Double]
    var clockwise: Int
    var mirrored: Bool
  }

  /// All symmetries of a rectangle on a grid. Since y points down, (0, 1, -1, 0) sends the x axis to
  /// the y axis: a quarter turn clockwise.
  static let eight = [
    Named(testDescription: "upright", matrix: [1, 0, 0, 1], clockwise: 0, mirrored: false),
    Named(testDescription: "90", matrix: [0, 1, -1, 0], clockwise: 90, mirrored: false),
    Named(testDescription: "180", matrix: [-1, 0, 0, -1], clockwise: 180, mirrored: false),
    Named(testDescription: "270", matrix: [0, -1, 1, 0], clockwise: 270, mirrored: false),
    Named(testDescription: "flip horizontal", matrix: [-1, 0, 0, 1], clockwise: 180, mirrored: true),
    Named(testDescription: "flip vertical", matrix: [1, 0, 0, -1], clockwise: 0, mirrored: true),
    Named(testDescription: "transpose", matrix: [0, 1, 1, 0], clockwise: 90, mirrored: true),
    Named(testDescription: "transverse", matrix: [0, -1, -1, 0], clockwise: 270, mirrored: true),
  ]

  static func orientation(_ matrix: [Double], scale: Double = 65536) -> Orientation {
    let m = matrix.map { Int32(clamping: Int64(($0 * scale).rounded())) }
    return Orientation(displayMatrix: [m[0], m[1], 0, m[2], m[3], 0, 0, 0, 1 << 30])
  }

  @Test(arguments: eight)
  func `a display matrix gives a rotation and a flip`(named: Named) {
    let orientation = Self.orientation(named.matrix)
    #expect(orientation.clockwiseRotation == named.clockwise)
    #expect(orientation.isMirrored == named.mirrored)
    #expect(orientation.swapsAxes == (named.clockwise % 180 == 90))
    #expect([orientation.a, orientation.c, orientation.b, orientation.d].map(Double.init) == named.matrix)
  }

  @Test(arguments: eight, [1.0, 77, 1_000_000, 2_147_483_647])
  func `scale does not matter`(named: Named, by scale: Double) {
    #expect(Self.orientation(named.matrix, scale: scale) == Self.orientation(named.matrix))
  }

  @Test(arguments: [-44, -30, -1, 1, 30, 44], eight)
  func `other angles are rounded to the nearest right angle`(degrees: Int, named: Named) {
    let angle = Double(degrees) / 180 * .pi
    let (sine, cosine) = (sin(angle), cos(angle))
    // Turned in the display plane: (x, y) -> (x cos - y sin, x sin + y cos).
    let m = named.matrix
    let turned = [
      m[0] * cosine - m[1] * sine, m[0] * sine + m[1] * cosine, m[2] * cosine - m[3] * sine, m[2] * sine + m[3] * cosine,
    ]
    #expect(Self.orientation(turned) == Self.orientation(named.matrix))
  }

  @Test(arguments: [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1], [1, -1, -1, 1], [2, 1, 4, 2]])
  func `a singular matrix is upright`(matrix: [Double]) { #expect(Self.orientation(matrix) == .upright) }

  @Test func `extreme entries do not trap and give one of the eight orientations`() {
    let values: [Int32] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let eight = Set(Self.eight.map { Self.orientation($0.matrix) })
    for a in values {
      for b in values {
        for c in values {
          for d in values {
            let read = Orientation(displayMatrix: [a, b, .max, c, d, .min, .max, .min, 0])
            #expect(eight.contains(read))
            let determinant = Int64(a) * Int64(d) - Int64(b) * Int64(c)
            #expect(determinant == 0 ? read == .upright : read.isMirrored == (determinant < 0))
          }
        }
      }
    }
  }
}
