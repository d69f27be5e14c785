internal import CKernels

/// Patterns of one size, whose weighted sums change a picture's light. If every weight follows a closed curve that
/// starts at 0, so does the picture.
struct LightFields: Sendable {
  /// Width of each pattern, which repeats in both directions.
  let width: Int
  let height: Int
  /// -32767 to 32767, one pattern after another, row by row.
  private let samples: [Int16]
  /// The origin of the picture in each.
  private let places: [(left: Int, top: Int)]

  init(width: Int, height: Int, places: [(left: Int, top: Int)], samples: [Int16]) {
    precondition(samples.count == width * height * places.count, "each pattern is complete")
    (self.width, self.height, self.places, self.samples) = (width, height, places, samples)
  }

  /// Patterns that cover a picture.
  ///
  /// - Parameters:
  ///   - patterns: how many, up to 4.
  ///   - values: of each at a pixel, -1 to 1.
  init(covering size: PixelSize, patterns: Int, _ values: (_ x: Int, _ y: Int) -> SIMD4<Double>) {
    let count = size.area
    let samples = [Int16](unsafeUninitializedCapacity: patterns * count) { buffer, used in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let value = values(x, y)
          for pattern in 0..<patterns {
            buffer[pattern * count + y * size.width + x] = Self.sample(value[pattern])
          }
        }
      }
      used = patterns * count
    }
    self.init(
      width: size.width, height: size.height,
      places: Array(repeating: (0, 0), count: patterns), samples: samples)
  }

  /// The stored form of a value from -1 to 1.
  static func sample(_ value: Double) -> Int16 {
    Int16(max(-1, min(1, value)) * 32767)
  }

  /// The picture in another light: see `artwork_relight`. 5 ns per pixel for two patterns.
  ///
  /// - Parameter weights: one for each pattern.
  /// - Throws: `out-of-memory`.
  func relight(_ picture: PixelImage, _ weights: [Double]) throws(InspectionError) -> PixelImage {
    try change(picture, weights, by: artwork_relight)
  }

  /// The picture with the patterns laid over: see `artwork_add_grain`.
  ///
  /// - Throws: `out-of-memory`.
  func addGrain(to picture: PixelImage, _ weights: [Double]) throws(InspectionError) -> PixelImage {
    try change(picture, weights, by: artwork_add_grain)
  }

  private typealias Kernel = (
    UnsafePointer<UInt8>?, Int32, Int32, UnsafePointer<artwork_field>?, Int32,
    UnsafeMutablePointer<UInt8>?
  ) -> Int32

  private func change(
    _ picture: PixelImage, _ weights: [Double], by kernel: Kernel
  ) throws(InspectionError) -> PixelImage {
    try picture.size.filled { pixels in
      samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return false }
        let fields = places.indices.map { index in
          artwork_field(
            samples: start + index * width * height, width: Int32(width), height: Int32(height),
            left: Int32(places[index].left), top: Int32(places[index].top),
            weight: Float(weights[index]))
        }
        return picture.bytes.withUnsafeBufferPointer {
          kernel(
            $0.baseAddress, Int32(picture.size.width), Int32(picture.size.height), fields,
            Int32(fields.count), pixels) != 0
        }
      }
    }
  }
}
