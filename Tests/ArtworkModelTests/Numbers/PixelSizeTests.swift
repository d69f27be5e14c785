import TestSupport

@testable import ArtworkModel

@Suite struct PixelSizeTests {
  @Test(
    "a preview is never larger than libswscale can count",
    arguments: [
      (1080, 1080, 1080, 1080), (8192, 8192, 8192, 8192), (16384, 8192, 16384, 8192),
      (37936, 48, 16384, 21), (37936, 37936, 8192, 8192), (100, 1_000_000, 2, 16384),
    ])
  func limited(width: Int, height: Int, shownWidth: Int, shownHeight: Int) {
    let limited = PixelSize(width: width, height: height).limitedForPreview
    #expect(limited == PixelSize(width: shownWidth, height: shownHeight))
    #expect(limited.width * limited.height * 8 < Int(Int32.max))
  }

  @Test(
    "a size is fitted inside a box with its aspect kept",
    arguments: [
      // Reduced, enlarged, exact, bounded by either side.
      ((2048, 2732), (600, 800), (600, 800)), ((100, 100), (600, 800), (600, 600)),
      ((1920, 1080), (100, 100), (100, 56)), ((1080, 1920), (100, 100), (56, 100)),
      ((3, 4), (300, 300), (225, 300)), ((640, 640), (640, 640), (640, 640)),
      // Extremes: never below one pixel, never outside the box.
      ((10000, 1), (100, 100), (100, 1)), ((1, 10000), (100, 100), (1, 100)),
      ((1, 1), (1, 1), (1, 1)), ((65535, 1), (1, 65535), (1, 1)),
    ])
  func fitted(size: (Int, Int), box: (Int, Int), expected: (Int, Int)) {
    let fitted = PixelSize(width: size.0, height: size.1)
      .fitted(inside: PixelSize(width: box.0, height: box.1))
    #expect(fitted == PixelSize(width: expected.0, height: expected.1))
  }

  @Test("a fitted size touches the box and is off the aspect by less than a pixel")
  func property() {
    for width in stride(from: 1, through: 400, by: 7) {
      for height in stride(from: 1, through: 400, by: 11) {
        let size = PixelSize(width: width, height: height)
        let fitted = size.fitted(inside: PixelSize(width: 90, height: 120))
        #expect(fitted.width <= 90 && fitted.height <= 120)
        #expect(fitted.width == 90 || fitted.height == 120)
        let ideal = Double(fitted.height) * Double(width) / Double(height)
        let idealHeight = Double(fitted.width) * Double(height) / Double(width)
        #expect(
          abs(Double(fitted.width) - ideal) <= 0.51
            || abs(Double(fitted.height) - idealHeight) <= 0.51
            || fitted.width == 1 || fitted.height == 1)
      }
    }
  }

  @Test("transposing exchanges the axes")
  func transposed() {
    #expect(PixelSize(width: 3, height: 4).transposed == PixelSize(width: 4, height: 3))
  }

  @Test("a size that is not positive is a programmer's error")
  func preconditions() async {
    await #expect(processExitsWith: .failure) { _ = PixelSize(width: 0, height: 1) }
    await #expect(processExitsWith: .failure) { _ = PixelSize(width: 1, height: -1) }
  }
}
