import Glibc

/// Maps high dynamic range pictures to sRGB for the preview. Reference white (203 cd/m², ITU-R
/// BT.2408) goes to the upper mid-tones; highlights roll off smoothly up to 1000 cd/m², the peak most
/// content is mastered for. About 15 ns per pixel.
package enum ToneMap {
  /// - Parameters:
  ///   - samples: R, G, B (and A, which is not changed) in `color`'s transfer function, full range,
  ///     16 bits, rows without padding.
  package static func sRGB(
    _ samples: [UInt16], size: PixelSize, channels: PixelImage.Channels = .rgb,
    color: ColorDescription
  ) -> PixelImage {
    let step = channels.rawValue
    precondition(
      samples.count == size.width * size.height * step, "an image holds exactly its pixels")
    let isHLG = color.transfer == "arib-std-b67"
    let decode = isHLG ? hlgLinear : pqLinear
    let matrix = toBT709(primaries: color.primaries)
    let bytes = [UInt8](unsafeUninitializedCapacity: samples.count) { target, used in
      samples.withUnsafeBufferPointer { source in
        decode.withUnsafeBufferPointer { decode in
          encodedSRGB.withUnsafeBufferPointer { encode in
            var index = 0
            while index < source.count {
              var pixel = SIMD3<Float>(
                decode[Int(source[index])], decode[Int(source[index + 1])],
                decode[Int(source[index + 2])])
              if isHLG { pixel *= hlgGain(pixel) }
              pixel = matrix.0 * pixel.x + matrix.1 * pixel.y + matrix.2 * pixel.z
              pixel.clamp(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
              // Scaling all three by the largest keeps the hue.
              let largest = pixel.max()
              if largest > knee { pixel *= rollOff(largest) / largest }
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
  static let encodedSRGB: [UInt8] = (0..<16384).map { step in
    let light = Double(step) / 16383
    let signal = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((signal * 255).rounded())
  }

  /// Columns of the matrix from linear light in `primaries` to BT.709 (ITU-R BT.2087; SMPTE RP 431-2
  /// with a D65 white for P3).
  private static func toBT709(primaries: String?) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
    switch primaries {
    case "bt709": (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
    case "smpte432":
      (
        SIMD3(1.2249, -0.0420, -0.0197), SIMD3(-0.2247, 1.0419, -0.0786), SIMD3(0, 0, 1.0979)
      )
    default:
      (
        SIMD3(1.6605, -0.1246, -0.0182), SIMD3(-0.5876, 1.1329, -0.1006),
        SIMD3(-0.0728, -0.0083, 1.1187)
      )
    }
  }
}
