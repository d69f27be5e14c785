import CPNG
import Glibc

/// Encodes short animations as animated PNG files in memory: 8 bits per channel, tagged sRGB, looping forever.
package enum APNGEncoder {
  /// The bytes of a complete file, every frame whole. About 30 ns per pixel.
  ///
  /// - Parameters:
  ///   - frames: at least one, all of one size and form.
  ///   - seconds: the duration of each; exact up to the precision of a fraction of two 16-bit numbers, which is a
  ///     ten-thousandth of a second or better up to 6.5 s.
  /// - Throws: `out-of-memory` or `preview-not-written` with libpng's message.
  package static func encode(
    _ frames: [PixelImage], seconds: [Rational]
  ) throws(InspectionError) -> [UInt8] {
    guard let first = frames.first else {
      preconditionFailure("an animation has frames")
    }
    precondition(
      seconds.count == frames.count
        && frames.allSatisfy { $0.size == first.size && $0.channels == first.channels },
      "frames of one form, and a time for each")
    var pixels: [UInt8] = []
    pixels.reserveCapacity(first.bytes.count * frames.count)
    for frame in frames { pixels += frame.bytes }
    let delays = seconds.map(delay)
    let result = pixels.withUnsafeBufferPointer { pixels in
      delays.withUnsafeBufferPointer { delays in
        artwork_apng_write(
          pixels.baseAddress, UInt32(first.size.width), UInt32(first.size.height),
          Int32(first.channels.rawValue), UInt32(frames.count), delays.baseAddress)
      }
    }
    guard let bytes = result.bytes else {
      let message = withUnsafeBytes(of: result.message) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw InspectionError(
        message == "out of memory" ? .outOfMemory : .previewNotWritten, message,
        operation: "encode the animation")
    }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: result.count))
  }

  /// Viewers interpret a denominator of zero as hundredths.
  private static func delay(_ seconds: Rational) -> artwork_png_delay {
    if let numerator = UInt16(exactly: seconds.numerator),
      let denominator = UInt16(exactly: seconds.denominator)
    {
      return artwork_png_delay(numerator: numerator, denominator: denominator)
    }
    for denominator: UInt16 in [10_000, 1000, 100, 1] {
      let scaled = (seconds.value * Double(denominator)).rounded()
      if let numerator = wholeNumber(scaled, as: UInt16.self) {
        return artwork_png_delay(numerator: numerator, denominator: denominator)
      }
    }
    return artwork_png_delay(numerator: seconds.value > 0 ? .max : 0, denominator: 1)
  }
}
