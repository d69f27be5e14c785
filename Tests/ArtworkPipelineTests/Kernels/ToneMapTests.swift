@testable import ArtworkMeasuring

/// Properties of the mapping to sRGB, with transfer functions written down a second time from their
/// standards.
@Suite struct ToneMapTests {
  static let pq = ColorDescription(primaries: "bt2020", transfer: "smpte2084")
  static let hlg = ColorDescription(primaries: "bt2020", transfer: "arib-std-b67")

  /// The inverse PQ EOTF (SMPTE ST 2084, equation 5.2): cd/m² to a 16-bit code.
  static func pqCode(_ light: Double) -> UInt16 {
    let y = pow(max(0, light) / 10000, 0.1593017578125)
    return UInt16((pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375) * 65535).rounded())
  }

  /// Display light of BT.2020 primaries in cd/m² to HLG codes, for a 1000 cd/m² display (ITU-R
  /// BT.2100, table 5: inverse OOTF, then OETF).
  static func hlgCodes(_ light: [Double]) -> [UInt16] {
    let luminance = (0.2627 * light[0] + 0.678 * light[1] + 0.0593 * light[2]) / 1000
    return light.map { channel in
      let scene = luminance <= 0 ? 0 : channel / 1000 * pow(luminance, 1 / 1.2 - 1)
      let signal = scene <= 1.0 / 12 ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
      return UInt16((min(1, signal) * 65535).rounded())
    }
  }

  static func mapped(_ samples: [UInt16], _ color: ColorDescription) -> [UInt8] {
    ToneMap.sRGB(samples, size: PixelSize(width: samples.count / 3, height: 1), color: color).bytes
  }

  static func gray(_ codes: some Sequence<UInt16>) -> [UInt16] { codes.flatMap { [$0, $0, $0] } }

  static func linear(_ code: UInt8) -> Double {
    let signal = Double(code) / 255
    return signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
  }

  @Test(arguments: [pq, hlg])
  func `brighter is never darker, over every code`(color: ColorDescription) {
    let bytes = Self.mapped(Self.gray(0...UInt16.max), color)
    let greens = stride(from: 1, to: bytes.count, by: 3).map { bytes[$0] }
    #expect(zip(greens, greens.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(greens.first == 0)
    #expect(greens.last == 255)
    #expect(Set(greens).count > 200, "gray levels are lost")
  }

  @Test(arguments: ["bt2020", "bt709", "smpte432"])
  func `gray stays gray whatever the primaries`(primaries: String) {
    for transfer in ["smpte2084", "arib-std-b67"] {
      let color = ColorDescription(primaries: primaries, transfer: transfer)
      let bytes = Self.mapped(Self.gray(stride(from: 0, through: 65000, by: 500)), color)
      for pixel in stride(from: 0, to: bytes.count, by: 3) {
        let channels = bytes[pixel..<pixel + 3]
        #expect((channels.max() ?? 0) - (channels.min() ?? 0) <= 1)
      }
    }
  }

  /// The curve puts 1.0 at 0.8096: sRGB code 232.
  @Test func `reference white, 203 cd/m², is bright but leaves room for highlights`() {
    let white = [203.0, 203, 203]
    for bytes in [Self.mapped(white.map(Self.pqCode), Self.pq), Self.mapped(Self.hlgCodes(white), Self.hlg)] {
      #expect(bytes.allSatisfy { (231...233).contains($0) })
    }
  }

  @Test func `below the knee light is kept as it is, in units of reference white`() {
    for light in stride(from: 1.0, through: 120, by: 3) {
      let bytes = Self.mapped([light, light, light].map(Self.pqCode), Self.pq)
      let expected = light / 203
      let got = Self.linear(bytes[1])
      // Half a code value either way.
      let half = Self.linear(min(254, bytes[1]) + 1) - Self.linear(bytes[1])
      #expect(abs(got - expected) <= half)
    }
  }

  @Test func `the highest light anybody masters for is white, and all above is too`() {
    for light in [1000.0, 2000, 4000, 10000] {
      #expect(Self.mapped([light, light, light].map(Self.pqCode), Self.pq) == [255, 255, 255])
    }
    let (bright, brighter) = (
      Self.mapped([500, 500, 500].map(Self.pqCode), Self.pq)[0], Self.mapped([900, 900, 900].map(Self.pqCode), Self.pq)[0]
    )
    #expect(232 < bright && bright < brighter && brighter < 255)
  }

  /// Colours of BT.709 primaries, which need no change of primaries: the channels keep their ratios
  /// however bright they are.
  @Test(arguments: [[1.0, 0.5, 0.25], [0.2, 1, 0.6], [0.5, 0.3, 1]], [100.0, 203, 400, 800])
  func `the hue is kept while highlights roll off`(ratios: [Double], light: Double) {
    let color = ColorDescription(primaries: "bt709", transfer: "smpte2084")
    let bytes = Self.mapped(ratios.map { Self.pqCode($0 * light) }, color)
    let linear = bytes.map(Self.linear)
    let brightest = linear.max() ?? 1
    for (channel, ratio) in zip(linear, ratios) { #expect(abs(channel / brightest - ratio) < 0.012) }
  }

  @Test func `HLG and PQ of the same light agree within two codes`() {
    var noise = Noise(seed: 11)
    for _ in 0..<400 {
      // Colours inside the range of a 1000 cd/m² display, dark ones as often as bright ones.
      let top = pow(10, Double(noise.next() >> 40) / Double(1 << 24) * 2.7)
      let light = (0..<3).map { _ in top * Double(noise.next() >> 40) / Double(1 << 24) }
      let fromPQ = Self.mapped(light.map(Self.pqCode), Self.pq)
      let fromHLG = Self.mapped(Self.hlgCodes(light), Self.hlg)
      for (a, b) in zip(fromPQ, fromHLG) { #expect(abs(Int(a) - Int(b)) <= 2, "\(light)") }
    }
  }

  /// Linear light of gray by the formulas of SMPTE ST 2094-50, annex C, of which Chromium 156 shows the same codes.
  @Test(
    "a still has the light that browsers show",
    arguments: [
      // Half of reference white, reference white, twice as much, and the peak.
      (Float(1000), [101.5: 0.25, 203: 0.5, 406: 0.7452, 1000: 1]), (Float(4000), [101.5: 0.25, 203: 0.5, 4000: 1]),
      (Float(150), [101.5: 0.5, 203: 1, 1000: 1]),
    ])
  func browser(peak: Float, expected: [Double: Double]) {
    for (light, shown) in expected {
      let bytes = ToneMap.sRGB(
        [light, light, light].map(Self.pqCode), size: PixelSize(width: 1, height: 1), color: Self.pq,
        shoulder: .browser(peak: peak)
      ).bytes
      #expect(bytes.allSatisfy { abs(Self.linear($0) - shown) < 0.005 }, "\(light): \(bytes)")
    }
  }

  /// Linear BT.709 primaries seen in BT.2020 coordinates (ITU-R BT.2087, table 2).
  @Test(arguments: [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [1, 1, 0], [0.3, 0.6, 0.9]])
  func `a colour inside BT.709 comes through BT.2020 unharmed`(color: [Double]) {
    let wide = [
      0.6274 * color[0] + 0.3293 * color[1] + 0.0433 * color[2], 0.0691 * color[0] + 0.9195 * color[1] + 0.0114 * color[2],
      0.0164 * color[0] + 0.0880 * color[1] + 0.8956 * color[2],
    ]
    let bytes = Self.mapped(wide.map { Self.pqCode($0 * 100) }, Self.pq)
    for (byte, channel) in zip(bytes, color) { #expect(abs(Self.linear(byte) - channel * 100 / 203) < 0.006) }
  }
}
