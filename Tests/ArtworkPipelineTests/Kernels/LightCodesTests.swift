/// Linear light of pictures of one colour, by the formulas of the standards.
@Suite struct LightCodesTests {
  static func light(
    _ y: Float, _ u: Float = 128, _ v: Float = 128, _ color: ColorDescription = bt709, format: String = "yuv420p",
    isConverted: Bool = false
  ) -> (luminance: Float, redness: Float) {
    let frame = Thumbnail(
      luma: Array(repeating: y, count: 64 * 64), blue: Array(repeating: u, count: 32 * 32),
      red: Array(repeating: v, count: 32 * 32))
    let light = LightCodes(color, pixelFormat: format, isConverted: isConverted).light(of: frame)
    #expect(light.luminance.count == 256 && Set(light.luminance).count == 1)
    return (light.luminance[0], light.redness[0])
  }

  static let bt709 = ColorDescription(matrix: "bt709", primaries: "bt709", transfer: "bt709", range: "tv")

  @Test func `black, white and the middle, in limited and full range`() {
    var full = Self.bt709
    full.range = "pc"
    for (code, color, format, expected) in [
      (16, Self.bt709, "yuv420p", 0), (235, Self.bt709, "yuv420p", 1), (0, full, "yuv420p", 0), (255, full, "yuv420p", 1),
      (128, full, "yuv420p", 0.2158), (255, Self.bt709, "yuvj420p", 1), (126, Self.bt709, "yuv420p10le", 0.2158),
    ] as [(Float, ColorDescription, String, Float)] {
      let light = Self.light(code, 128, 128, color, format: format)
      #expect(abs(light.luminance - expected) < 0.003, "\(code) \(format)")
      #expect(light.redness == 0)
    }
  }

  @Test func `red has its weight in luminance and all of the redness`() {
    // ITU-R BT.709 red at 100 %, limited range.
    let red = Self.light(63, 102, 240)
    #expect(abs(red.luminance - 0.2126) < 0.005)
    #expect(abs(red.redness - 320) < 6)
    // Without a stated matrix it is BT.601.
    let other = Self.light(81, 90, 240, ColorDescription())
    #expect(abs(other.luminance - 0.2126) < 0.005)
    #expect(abs(other.redness - 320) < 6)
    // RGB that was converted: BT.601, full range.
    #expect(abs(Self.light(76, 85, 255, Self.bt709, isConverted: true).luminance - 0.2126) < 0.005)
    // Orange is not saturated red.
    #expect(Self.light(133, 63, 175).redness == 0)
  }

  @Test func `high dynamic range is measured in reference white`() {
    let pq = ColorDescription(matrix: "bt2020nc", primaries: "bt2020", transfer: "smpte2084", range: "tv")
    // 203 cd/m² are 58 % of the signal (ITU-R BT.2408), 75 % in HLG.
    #expect(abs(Self.light(16 + 219 * 0.5806, 128, 128, pq).luminance - 1) < 0.02)
    var hlg = pq
    hlg.transfer = "arib-std-b67"
    #expect(abs(Self.light(16 + 219 * 0.75, 128, 128, hlg).luminance - 1) < 0.02)
  }

  @Test func `the spread is the largest difference of cells, in luma or in chroma`() {
    var frame = Thumbnail(
      luma: Array(repeating: 60, count: 64 * 64), blue: Array(repeating: 128, count: 32 * 32),
      red: Array(repeating: 128, count: 32 * 32))
    #expect(frame.spread == 0)
    // One of the 16 pixels of a cell.
    frame = frame.changed { detail in for index in [10, 11, 138, 139] { detail[index] = 220 } }
    #expect(frame.spread == 10)
    for index in 0..<512 { frame.red[index] = 100 }
    #expect(frame.spread == 28)
  }
}
