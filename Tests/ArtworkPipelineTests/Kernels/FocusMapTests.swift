import Testing

@testable import ArtworkPipeline

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

  private static func isIn(_ x: Int, _ y: Int) -> Bool {
    (96..<116).contains(x) && (50..<70).contains(y)
  }

  @Test("a light thing, a moving one and a red one draw the window")
  func things() {
    let light = FocusMap([Self.frame { Self.isIn($0, $1) ? 80 : 0 }])
    let moving = FocusMap(
      (0..<6).map { n in Self.frame { Self.isIn($0, $1) ? Float(n * ($0 % 3) * 4) : 0 } })
    var red = Self.frame { _, _ in 0 }
    for y in 12..<18 {
      for x in 24..<29 { red.red[y * Thumbnail.chromaSide + x] = 190 }
    }
    for map in [light, moving, FocusMap([red])] {
      let search = WindowSearch(map.profile(columns: true), length: 0.5)
      // The window is 64 cells wide, so that the thing ends at 116 only in those that start at 52 or later.
      #expect(search.best.place * 64 >= 52 && !search.isFlat)
      #expect(search.best.score > search.center.score)
      #expect(search.runnerUp.map { $0.score < search.best.score } == true)
    }
  }

  @Test("an even picture has no part that is better than the middle")
  func flat() {
    let map = FocusMap([Self.frame { _, _ in 0 }])
    let search = WindowSearch(map.profile(columns: false), length: 0.75)
    #expect(search.isFlat && search.best == search.center)
    #expect(WindowSearch([Double](repeating: 0, count: 128), length: 0.5).isFlat)
  }

  @Test("a window as long as the axis has no choice")
  func whole() {
    let search = WindowSearch([1, 2, 3, 4], length: 1)
    #expect(search.best.score == 1 && search.runnerUp == nil && !search.isFlat)
  }
}
