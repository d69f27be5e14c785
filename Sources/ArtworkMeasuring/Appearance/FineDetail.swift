import Glibc

/// Measures how much of a picture's detail is as fine as its samples can show. A picture that was much enlarged or blurred
/// has none, not even where it is sharpest.
enum FineDetail {
  /// The samples of a line that are measured together, in a row or in a column.
  private static let length = 32
  /// The number of squares of these each way, evenly spaced.
  private static let places = 24
  /// The step from one measured row or column of a square to the next.
  private static let lineStep = 4
  /// The share of rows and columns with most detail.
  private static let liveliest = 0.15
  /// The quantile of these that counts.
  private static let sharpest = 0.9
  /// A mean over lines, summed over frequencies. Less is grain.
  private static let leastEnergy: Float = 2000
  private static let leastCount = 8

  /// The number of frequencies that are not fine: those from the second to half of the finest.
  private static let coarse = length / 4 - 1

  /// Cosine and sine of each frequency from the second to the finest, one after the other, weighted by a window that ends
  /// in zeros.
  private static let waves: [Float] = (2...length / 2).flatMap { frequency in
    [0, Double.pi / 2].flatMap { shift in
      (0..<length).map { sample in
        let turn = 2 * Double.pi * Double(sample)
        let window = 0.5 - 0.5 * cos(turn / Double(length - 1))
        return Float(window * cos(turn * Double(frequency) / Double(length) - shift))
      }
    }
  }

  /// The share of detail above half of the finest frequency, from 0 to 1, where the picture is sharpest. Takes a few
  /// milliseconds.
  ///
  /// - Returns: `nil` for less than 64 samples a side, and with too little contrast to measure.
  static func share(_ luma: PlanarPixels.Plane, bitDepth: Int) -> Double? {
    guard Swift.min(luma.width, luma.height) >= 2 * length else { return nil }
    let columns = min(places, luma.width / length)
    let rows = min(places, luma.height / length)
    var found: [(all: Float, fine: Float)] = []
    var square = [Float](repeating: 0, count: length * length)
    for place in 0..<rows * columns {
      let x = (2 * (place % columns) + 1) * luma.width / (2 * columns) - length / 2
      let y = (2 * (place / columns) + 1) * luma.height / (2 * rows) - length / 2
      for row in 0..<length {
        LumaLine.read(
          luma, bitDepth: bitDepth, x: x, y: y + row, to: &square,
          at: row * length..<(row + 1) * length)
      }
      found.append(energy(square, along: 1, across: length))
      found.append(energy(square, along: length, across: 1))
    }
    let count = max(leastCount, wholeNumber(liveliest * Double(found.count)) ?? 0)
    let lively = found.sorted { $0.all > $1.all }.prefix(count).filter { $0.all > leastEnergy }
    guard lively.count >= leastCount else { return nil }
    return lively.map { Double($0.fine / $0.all) }.quantile(sharpest)
  }

  /// The energy of every few lines of a square, and the part of it above half of the finest frequency.
  ///
  /// - Parameters:
  ///   - along: from a sample of a line to the next, across: from a line to the next.
  private static func energy(
    _ square: [Float], along: Int, across: Int
  ) -> (all: Float, fine: Float) {
    var (all, fine) = (Float(0), Float(0))
    for line in stride(from: lineStep / 2, to: length, by: lineStep) {
      // The mean is taken off, since the window lets a little of it through.
      var mean = Float(0)
      for sample in 0..<length { mean += square[line * across + sample * along] }
      mean /= Float(length)
      for frequency in 0..<length / 2 - 1 {
        var (real, imaginary) = (Float(0), Float(0))
        let wave = 2 * frequency * length
        for sample in 0..<length {
          let value = square[line * across + sample * along] - mean
          real += value * waves[wave + sample]
          imaginary += value * waves[wave + length + sample]
        }
        let power = real * real + imaginary * imaginary
        all += power
        if frequency >= coarse { fine += power }
      }
    }
    let lines = Float(length / lineStep)
    return (all / lines, fine / lines)
  }
}
