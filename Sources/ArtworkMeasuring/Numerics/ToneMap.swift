import Glibc

/// Maps high dynamic range pictures to sRGB. About 15 ns per pixel.
package enum ToneMap {
  /// What becomes of highlights.
  package enum Shoulder: Sendable {
    /// Previews of videos, near their SDR master: reference white (203 cd/m², ITU-R BT.2408) goes to the upper mid-tones,
    /// and highlights roll off up to 1000 cd/m², the peak most content is mastered for.
    case master
    /// Stills as browsers show them on an SDR screen: the reference white tone mapping operator (SMPTE ST 2094-50, annex C),
    /// for a peak in cd/m²; most are mastered for 1000.
    case browser(peak: Float = 1000)
  }

  /// - Parameters:
  ///   - samples: R, G, B (and A, which is not changed) in `color`'s transfer function, full range,
  ///     16 bits, rows without padding.
  package static func sRGB(
    _ samples: [UInt16], size: PixelSize, channels: PixelImage.Channels = .rgb,
    color: ColorDescription, shoulder: Shoulder = .master
  ) -> PixelImage {
    let step = channels.rawValue
    precondition(
      samples.count == size.width * size.height * step, "an image holds exactly its pixels")
    let isHLG = color.transfer == "arib-std-b67"
    let decode = isHLG ? hlgLinear : pqLinear
    let (wide, narrow) = matrices(primaries: color.primaries)
    let operation: ReferenceWhite? =
      if case .browser(let peak) = shoulder { ReferenceWhite(peak: peak / white) } else { nil }
    let most = SIMD3<Float>(repeating: operation == nil ? peak : 1)
    let bytes = [UInt8](unsafeUninitializedCapacity: samples.count) { target, used in
      samples.withUnsafeBufferPointer { source in
        decode.withUnsafeBufferPointer { decode in
          encodedSRGB.withUnsafeBufferPointer { encode in
            var index = 0
            while index < source.count {
              var pixel = SIMD3<Float>(
                decode[Int(source[index])], decode[Int(source[index + 1])],
                decode[Int(source[index + 2])])
              pixel = wide.x * pixel.x + wide.y * pixel.y + wide.z * pixel.z
              if isHLG { pixel *= hlgGain(pixel) }
              // Scaling all three by the largest keeps the hue.
              if let operation { pixel *= operation.gain(pixel.max()) }
              pixel = narrow.x * pixel.x + narrow.y * pixel.y + narrow.z * pixel.z
              pixel.clamp(lowerBound: .zero, upperBound: most)
              if operation == nil {
                let largest = pixel.max()
                if largest > knee { pixel *= rollOff(largest) / largest }
              }
              let steps = pixel * Float(encode.count - 1)
              target[index] = encode[Int(steps.x)]
              target[index + 1] = encode[Int(steps.y)]
              target[index + 2] = encode[Int(steps.z)]
              if step == 4 { target[index + 3] = UInt8(source[index + 3] >> 8) }
              index += step
            }
          }
        }
      }
      used = samples.count
    }
    return PixelImage(size: size, channels: channels, bytes: bytes)
  }

  /// Reference white in cd/m² (ITU-R BT.2408).
  private static let white: Float = 203
  /// 1000 cd/m² in units of reference white.
  private static let peak: Float = 1000 / white
  /// Values below this are not changed.
  private static let knee: Float = 0.6

  /// A Möbius curve: continuous in value and slope at the knee, 1 at the peak.
  static func rollOff(_ value: Float) -> Float {
    let (j, p) = (knee, peak)
    let a = -j * j * (p - 1) / (j * j - 2 * j + p)
    let b = (j * j - 2 * j * p + p) / (p - 1)
    return min(1, (b * b + 2 * b * j + j * j) / (b - a) * (value + a) / (value + b))
  }

  /// The PQ EOTF (SMPTE ST 2084), 16-bit code to linear light in units of reference white.
  private static let pqLinear: [Float] = (0...65535).map { code in
    let (m1, m2): (Double, Double) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    let (c1, c2, c3): (Double, Double, Double) = (
      3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32
    )
    let power = pow(Double(code) / 65535, 1 / m2)
    return Float(10000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)) / white
  }

  /// The inverse HLG OETF (ITU-R BT.2100), 16-bit code to scene light 0...1.
  private static let hlgLinear: [Float] = (0...65535).map { code in
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let signal = Double(code) / 65535
    return Float(signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12)
  }

  /// The HLG OOTF for a 1000 cd/m² display (ITU-R BT.2100: system gamma 1.2), as the factor from scene
  /// light to display light in units of reference white.
  @inline(__always)
  private static func hlgGain(_ scene: SIMD3<Float>) -> Float {
    let luminance = 0.2627 * scene.x + 0.6780 * scene.y + 0.0593 * scene.z
    return luminance > 0 ? peak * powf(luminance, 0.2) : 0
  }

  /// The sRGB encoding (IEC 61966-2-1) of linear light 0...1, rounded to 8 bits.
  private static let encodedSRGB: [UInt8] = (0..<16384).map { step in
    let light = Double(step) / 16383
    let signal = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((signal * 255).rounded())
  }

  private typealias Columns = (x: SIMD3<Float>, y: SIMD3<Float>, z: SIMD3<Float>)

  /// The ways from linear light in `primaries` to that of BT.2020, which is assumed where they are not known, and from there
  /// to that of BT.709.
  private static func matrices(primaries: String?) -> (wide: Columns, narrow: Columns) {
    let own = primaries.flatMap { ColorProfile.Primaries(named: $0) } ?? .bt2020
    guard let wide = own.light(in: .bt2020),
      let narrow = ColorProfile.Primaries.bt2020.light(in: .sRGB)
    else { preconditionFailure("Little CMS knows the primaries of ITU-T H.273") }
    return (wide, narrow)
  }
}

/// The reference white tone mapping operator for a screen without headroom (SMPTE ST 2094-50, annex C): light up to reference
/// white is scaled, and above it follows a quadratic Bézier curve to the peak.
private struct ReferenceWhite {
  private let peak: Float
  /// What becomes of reference white.
  private let white: Float
  /// Coefficients of the curve over its parameter, for light in and light out, without the constant.
  private let (square, line): (SIMD2<Float>, SIMD2<Float>)

  /// - Parameter peak: in units of reference white.
  init(peak: Float) {
    self.peak = max(1, peak)
    white = 1 - 0.5 * min(1, log2f(self.peak) / log2f(1000 / 203))
    let knee = SIMD2(1, white)
    let middle = 0.35 * knee + 0.65 * SIMD2(1 / white, 1)
    (square, line) = (knee - 2 * middle + SIMD2(self.peak, 1), 2 * (middle - knee))
  }

  /// The factor for a pixel with this largest channel.
  @inline(__always)
  func gain(_ largest: Float) -> Float {
    if largest <= 1 { return white }
    if largest >= peak { return 1 / largest }
    let root = line.x * line.x + 4 * square.x * (largest - 1)
    let place = (root.squareRoot() - line.x) / (2 * square.x)
    return (white + place * (line.y + place * square.y)) / largest
  }
}
