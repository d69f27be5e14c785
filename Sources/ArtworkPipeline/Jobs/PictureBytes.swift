/// The most bytes that pictures in an answer can have.
enum PictureBytes {
  /// Bytes for a PNG file with this many pixels: four bytes per pixel, and a 16th of a byte for PNG's overhead on
  /// incompressible data. The mebibyte is for narrow pictures, for which the filter byte of each row matters most.
  static func png(pixels: Int) -> Int64 { raw(pixels: pixels) + 1 << 20 }

  /// Bytes for an animated PNG file: those of the pixels as in ``png(pixels:)``, and a kibibyte of chunks per frame.
  static func animation(_ size: PixelSize, frames: Int) -> Int64 {
    raw(pixels: size.area.multipliedClamped(by: frames)) + Int64(frames) << 10
  }

  private static func raw(pixels: Int) -> Int64 { Int64(pixels) * 4 + Int64(pixels) / 16 }
}
