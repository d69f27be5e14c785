@Suite struct FocusMapTests {
  private static let side = Thumbnail.detailSide

  /// A grey picture with a texture, and what `paint` adds.
  private static func frame(_ paint: (_ x: Int, _ y: Int) -> Float) -> Thumbnail {
    let detail = (0..<side * side).map { place -> Float in
      let (x, y) = (place % side, place / side)
      return 100 + Float((x * 7 + y * 13) % 5) + paint(x, y)
    }
    let gray = [Float](repeating: 128, count: Thumbnail.chromaSide * Thumbnail.chromaSide)
    return Thumbnail(detail: detail, blue: gray, red: gray)
  }

  private static func isIn(_ x: Int, _ y: Int) -> Bool { (96..<116).contains(x) && (50..<70).contains(y) }

  @Test func `a light thing, a moving one and a red one draw the window`() {
    let light = FocusMap([Self.frame { Self.isIn($0, $1) ? 80 : 0 }])
    let moving = FocusMap((0..<6).map { n in Self.frame { Self.isIn($0, $1) ? Float(n * ($0 % 3) * 4) : 0 } })
    var red = Self.frame { _, _ in 0 }
    for y in 12..<18 { for x in 24..<29 { red.red[y * Thumbnail.chromaSide + x] = 190 } }
    for map in [light, moving, FocusMap([red])] {
      let search = WindowSearch(map.profile(columns: true), length: 0.5)
      // The window is 64 cells wide, so that the thing ends at 116 only in those that start at 52 or later.
      #expect(search.best.place * 64 >= 52 && !search.isFlat)
      #expect(search.best.score > search.center.score)
      #expect(search.runnerUp.map { $0.score < search.best.score } == true)
    }
  }

  @Test func `a colour that is also at the border draws less than one that is not`() {
    var frame = Self.frame { _, _ in 0 }
    func paint(_ plane: inout [Float], _ rows: Range<Int>, _ columns: Range<Int>) {
      for y in rows { for x in columns { plane[y * Thumbnail.chromaSide + x] = 190 } }
    }
    paint(&frame.red, 12..<18, 24..<29)
    paint(&frame.blue, 0..<24, 2..<8)
    #expect(WindowSearch(FocusMap([frame]).profile(columns: true), length: 0.5).best.place * 64 >= 52)
  }

  @Test func `a line of letters is kept where a window can, and cut only where none can`() {
    /// Strokes of two cells, on low rows of a picture with a bright thing right of its middle.
    func search(_ columns: Range<Int>) -> WindowSearch {
      let map = FocusMap([
        Self.frame { x, y in
          columns.contains(x) && (20..<28).contains(y) && x / 2 % 2 == 0
            ? 90 : (70..<96).contains(x) && (60..<90).contains(y) ? 60 : 0
        }
      ])
      return WindowSearch(map.profile(columns: true), length: 0.75, lines: map.lines)
    }
    let title = search(8..<98)
    #expect(title.best.place * 32 <= 8 && title.best.place * 32 >= 2 && !title.cutsLines)
    #expect(search(4..<124).cutsLines)
  }

  @Test func `large letters are a line, too`() {
    /// Bars of 20 rows, each as wide as a stroke.
    func search(_ columns: Range<Int>) -> WindowSearch {
      let map = FocusMap([
        Self.frame { x, y in columns.contains(x) && (50..<70).contains(y) && x % 16 < 9 ? 90 : 0 }
      ])
      return WindowSearch(map.profile(columns: true), length: 0.75, lines: map.lines)
    }
    #expect(search(4..<124).cutsLines)
    #expect(!search(0..<90).cutsLines && search(0..<90).best.place < 0.3)
  }

  @Test("of two things that draw alike, the upper one is kept", arguments: [0.0, 1.0])
  func top(end: Double) {
    let profile = (0..<128).map { (12..<28).contains($0) || (100..<116).contains($0) ? 9.0 : 1 }
    #expect(abs(WindowSearch(profile, length: 0.5, top: end).best.place - end) < 0.3)
  }

  @Test func `a thing that fits is not cut, though half of it draws more`() {
    let profile = (0..<128).map { (40..<60).contains($0) ? 5 : (60..<84).contains($0) ? 2 : 0.2 }
    let start = WindowSearch(profile, length: 0.375).best.place * 80
    #expect(start <= 40 && start + 48 >= 84)
  }

  @Test func `the top of a picture that is turned is at another end`() {
    #expect(Orientation.upright.top(ofColumns: false) == 0)
    #expect(Orientation.upright.top(ofColumns: true) == nil)
    #expect(Orientation(displayMatrix: [-65536, 0, 0, 0, -65536, 0, 0, 0, 1 << 30]).top(ofColumns: false) == 1)
    let quarter = Orientation(displayMatrix: [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30])
    #expect(quarter.top(ofColumns: true) == 0 && quarter.top(ofColumns: false) == nil)
  }

  @Test func `an even picture has no part that is better than the middle`() {
    let map = FocusMap([Self.frame { _, _ in 0 }])
    let search = WindowSearch(map.profile(columns: false), length: 0.75)
    #expect(search.isFlat && search.best == search.center)
    #expect(WindowSearch([Double](repeating: 0, count: 128), length: 0.5).isFlat)
  }

  @Test func `of two equal things at both ends, none is chosen, and the middle is taken for what keeps less`() {
    let pair = (0..<128).map { (8..<28).contains($0) || (100..<120).contains($0) ? 3 : 0.2 }
    let tie = WindowSearch(pair, length: 0.5)
    #expect(tie.isFlat && tie.best == tie.center)
    // Much in the middle, and more of it left of the middle than right of it.
    for shift in 0..<8 {
      let disc = (0..<128).map { (10 + shift..<118).contains($0) ? 1.0 : 0.05 }
      let search = WindowSearch(disc, length: 0.75)
      #expect(search.best.score >= search.center.score)
    }
  }

  @Test func `a window as long as the axis has no choice`() {
    let search = WindowSearch([1, 2, 3, 4], length: 1)
    #expect(search.best.score == 1 && search.runnerUp == nil && !search.isFlat)
  }
}
