/// How coded pixels are rotated and mirrored for display: one of the eight symmetries of a rectangle on a
/// grid. `x' = a*x + b*y`, `y' = c*x + d*y` with entries in -1, 0, 1.
package struct Orientation: Sendable, Hashable {
  package let a, b, c, d: Int8

  private init(a: Int8, b: Int8, c: Int8, d: Int8) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  package static let upright = Orientation(a: 1, b: 0, c: 0, d: 1)

  /// Reads a container's display matrix, row by row `{a, b, u, c, d, v, x, y, w}` in fixed point
  /// (ISO/IEC 14496-12, `tkhd`), which maps a source point `(p, q)` to `(a*p + c*q, b*p + d*q)`. Other angles are
  /// rounded to the nearest right angle. A singular matrix (all zero in some real files) counts as upright, as in
  /// players.
  package init(displayMatrix matrix: [Int32]) {
    precondition(matrix.count == 9, "a display matrix has nine entries")
    let (a, b) = (Int64(matrix[0]), Int64(matrix[1]))
    let (c, d) = (Int64(matrix[3]), Int64(matrix[4]))
    let (determinant, overflow) = (a * d).subtractingReportingOverflow(b * c)
    guard determinant != 0, !overflow else {
      self = .upright
      return
    }
    let mirrored = determinant < 0
    // The nearest right angle keeps the larger component of the first column.
    if abs(a) >= abs(b) {
      let sign: Int8 = a < 0 ? -1 : 1
      self.init(a: sign, b: 0, c: 0, d: mirrored ? -sign : sign)
    } else {
      let sign: Int8 = b < 0 ? -1 : 1
      self.init(a: 0, b: mirrored ? sign : -sign, c: sign, d: 0)
    }
  }

  /// Whether a display matrix turns by anything but quarters, or scales a side to nothing: players differ then.
  package static func isOdd(displayMatrix matrix: [Int32]) -> Bool {
    precondition(matrix.count == 9, "a display matrix has nine entries")
    let (a, b, c, d) = (
      abs(Double(matrix[0])), abs(Double(matrix[1])), abs(Double(matrix[3])), abs(Double(matrix[4]))
    )
    // Writers round the sines of quarter turns.
    func turns(_ large: Double, _ small: Double) -> Bool { large > 0 && small < large / 100 }
    return !(turns(a, b) && turns(d, c)) && !(turns(b, a) && turns(c, d))
  }

  /// The display matrix of pictures that are turned anticlockwise by quarters, and then mirrored (ISO/IEC 23008-12).
  ///
  /// - Parameter axis: 0 exchanges top and bottom, 1 left and right; `nil` neither.
  package static func matrix(quarterTurnsBack turns: Int, mirroring axis: Int?) -> [Int32] {
    let one: Int32 = 1 << 16
    // Where the corners of the x and the y axis go.
    var (x, y): (SIMD2<Int32>, SIMD2<Int32>) = ([one, 0], [0, one])
    for _ in 0..<turns & 3 { (x, y) = ([x.y, -x.x], [y.y, -y.x]) }
    if let axis {
      let mirror: SIMD2<Int32> = axis & 1 == 0 ? [1, -1] : [-1, 1]
      (x, y) = (x &* mirror, y &* mirror)
    }
    return [x.x, x.y, 0, y.x, y.y, 0, 0, 0, 1 << 30]
  }

  /// The display matrix of a picture by the tag of Exif (Exif 3.0, 4.6.5.1); `nil` for one that is upright, and for other
  /// numbers.
  package static func matrix(exif number: Int) -> [Int32]? {
    switch number {
    case 2: matrix(quarterTurnsBack: 0, mirroring: 1)
    case 3: matrix(quarterTurnsBack: 2, mirroring: nil)
    case 4: matrix(quarterTurnsBack: 0, mirroring: 0)
    case 5: matrix(quarterTurnsBack: 1, mirroring: 0)
    case 6: matrix(quarterTurnsBack: 3, mirroring: nil)
    case 7: matrix(quarterTurnsBack: 1, mirroring: 1)
    case 8: matrix(quarterTurnsBack: 1, mirroring: nil)
    default: nil
    }
  }

  package var isMirrored: Bool { Int(a) * Int(d) - Int(b) * Int(c) < 0 }

  package var swapsAxes: Bool { a == 0 }

  /// The clockwise rotation of the x axis in degrees (0, 90, 180, 270). This is the negated
  /// `av_display_rotation_get`; see also ``isMirrored``.
  package var clockwiseRotation: Int {
    if a != 0 { return a > 0 ? 0 : 180 }
    return c > 0 ? 90 : 270
  }
}
