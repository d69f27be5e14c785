internal import CKernels
import Glibc

/// How the code values of reduced pictures become linear light: matrix, range and transfer function.
package struct LightCodes {
  private enum Transfer { case display, pq, hlg }

  private var codes: artwork_light_codes
  private let transfer: Transfer

  /// - Parameter isConverted: the picture was none of Y'CbCr and was made one: BT.601, full range.
  package init(_ color: ColorDescription, pixelFormat: String, isConverted: Bool) {
    let isFull = isConverted || color.range == "pc" || pixelFormat.hasPrefix("yuvj")
    let (kr, kb) = isConverted ? Self.weights("smpte170m") : Self.weights(color.matrix)
    let kg = 1 - kr - kb
    // The primaries determine the luminance weights, whatever the matrix is.
    let (red, blue) = Self.weights(color.primaries == "bt2020" ? "bt2020nc" : "bt709")
    codes = artwork_light_codes(
      black: isFull ? 0 : 16, gain: isFull ? 1 / 255 : 1 / 219,
      chroma_gain: isFull ? 1 / 255 : 1 / 224,
      red_v: 2 * (1 - kr), green_u: -2 * kb * (1 - kb) / kg, green_v: -2 * kr * (1 - kr) / kg,
      blue_u: 2 * (1 - kb), red_weight: red, green_weight: 1 - red - blue, blue_weight: blue,
      light: nil)
    transfer =
      switch color.transfer {
      case "smpte2084": .pq
      case "arib-std-b67": .hlg
      default: .display
      }
  }

  /// Relative luminance and redness of 16x16 cells, row by row: WCAG's relative luminance (1 is reference white), and
  /// 320 times the excess of red over green and blue if it is saturated. Takes 10 us.
  package func light(of frame: Thumbnail) -> (luminance: [Float], redness: [Float]) {
    let count = ARTWORK_LIGHT_CELLS
    var luminance = [Float](repeating: 0, count: count)
    var redness = luminance
    table.withUnsafeBufferPointer { table in
      var codes = codes
      codes.light = table.baseAddress
      artwork_light(frame.luma, frame.blue, frame.red, &codes, &luminance, &redness)
    }
    return (luminance, redness)
  }

  /// Red, green and blue, 0 to 1, of the code values of luma, blue and red.
  func signal(_ sample: SIMD3<Float>) -> SIMD3<Float> {
    let luma = (sample.x - codes.black) * codes.gain
    let (u, v) = ((sample.y - 128) * codes.chroma_gain, (sample.z - 128) * codes.chroma_gain)
    return SIMD3(
      luma + codes.red_v * v, luma + codes.green_u * u + codes.green_v * v, luma + codes.blue_u * u)
  }

  /// The code values of a ``signal(_:)``.
  func sample(_ signal: SIMD3<Float>) -> SIMD3<Float> {
    let (kr, kb) = (1 - codes.red_v / 2, 1 - codes.blue_u / 2)
    let sum = kr * signal.x + (1 - kr - kb) * signal.y + kb * signal.z
    return SIMD3(
      codes.black + sum / codes.gain, 128 + (signal.z - sum) / codes.blue_u / codes.chroma_gain,
      128 + (signal.x - sum) / codes.red_v / codes.chroma_gain)
  }

  private var table: [Float] {
    switch transfer {
    case .display: Self.display
    case .pq: Self.pq
    case .hlg: Self.hlg
    }
  }

  /// The factors of red and blue in luma (ITU-T H.273); BT.601 for `nil`.
  private static func weights(_ matrix: String?) -> (red: Float, blue: Float) {
    switch matrix {
    case "bt709": (0.2126, 0.0722)
    case "bt2020nc", "bt2020c": (0.2627, 0.0593)
    case "smpte240m": (0.212, 0.087)
    default: (0.299, 0.114)
    }
  }

  private static func table(_ light: (Double) -> Double) -> [Float] {
    let last = ARTWORK_LIGHT_CODES - 1
    return (0...last).map { Float(light(Double($0) / Double(last))) }
  }

  /// sRGB (IEC 61966-2-1), as WCAG specifies; players show BT.709 much like it.
  private static let display = table { signal in
    signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
  }
  /// SMPTE ST 2084, in units of reference white (203 cd/m², ITU-R BT.2408).
  private static let pq = table { signal in
    let power = pow(signal, 32.0 / 2523)
    let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)
    return 10000 / 203 * pow(max(power - c1, 0) / (c2 - c3 * power), 16384.0 / 2610)
  }
  /// ITU-R BT.2100 for a display of 1000 cd/m², each primary separately.
  private static let hlg = table { signal in
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    return 1000 / 203 * pow(scene, 1.2)
  }
}

extension Thumbnail {
  /// Spread of the picture, as in ``FirstFrame``.
  package var spread: Double { Double(artwork_spread(luma, blue, red)) }
}
