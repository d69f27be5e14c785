/// Differences between reduced frames.
enum FrameStep {
  /// The mean absolute difference in 8-bit code values: luma plus half of the chroma mean.
  static func distance(_ a: Thumbnail, _ b: Thumbnail) -> Double {
    let chroma = (meanAbsolute(a.blue, b.blue) + meanAbsolute(a.red, b.red)) / 2
    return Double(meanAbsolute(a.luma, b.luma) + chroma / 2)
  }

  /// Mean and standard deviation of the luma.
  static func statistics(_ frame: Thumbnail) -> (mean: Double, contrast: Double) {
    let count = Double(frame.luma.count)
    let mean = frame.luma.reduce(0) { $0 + Double($1) } / count
    let variance = frame.luma.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
    return (mean, variance.squareRoot())
  }

  private static func meanAbsolute(_ a: [Float], _ b: [Float]) -> Float {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        var sums = SIMD8<Float>.zero
        for start in stride(from: 0, to: a.count, by: 8) {
          var difference = SIMD8<Float>.zero
          for lane in 0..<8 { difference[lane] = abs(a[start + lane] - b[start + lane]) }
          sums += difference
        }
        return sums.sum() / Float(a.count)
      }
    }
  }
}
