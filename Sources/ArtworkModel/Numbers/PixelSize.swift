/// A width and a height in whole pixels, both positive.
public struct PixelSize: Sendable, Hashable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0, "a pixel size is positive")
    self.width = width
    self.height = height
  }

  /// Width times height, at most `Int.max`.
  package var area: Int { width.multipliedClamped(by: height) }

  /// This size with its axes exchanged.
  package var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The largest preview: 16384 pixels per side and 2^27 in all, so that libswscale's 32-bit arithmetic
  /// holds and an absurd sample aspect ratio does not become an absurd allocation.
  package static let largestPreview = PixelSize(width: 16384, height: 8192)

  /// This size, reduced to the largest preview if necessary.
  package var limitedForPreview: PixelSize {
    let box = Self.largestPreview
    return limited(to: height > width ? box.transposed : box)
  }

  /// This size, reduced to fit inside `box` if necessary.
  package func limited(to box: PixelSize) -> PixelSize {
    width <= box.width && height <= box.height ? self : fitted(inside: box)
  }

  /// The largest size with this aspect ratio that fits inside `box`, enlarged if needed; at least one pixel each way.
  public func fitted(inside box: PixelSize) -> PixelSize {
    let scale = min(
      Double(box.width) / Double(width), Double(box.height) / Double(height))
    func side(_ length: Int, atMost limit: Int) -> Int {
      max(1, min(limit, wholeNumber((Double(length) * scale).rounded()) ?? limit))
    }
    return PixelSize(
      width: side(width, atMost: box.width), height: side(height, atMost: box.height))
  }
}

extension PixelSize: Codable {
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let width = try fields.decode(Int.self, forKey: .width)
    let height = try fields.decode(Int.self, forKey: .height)
    guard width > 0, height > 0 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a pixel size is positive"))
    }
    self.init(width: width, height: height)
  }
}

extension PixelSize: CustomStringConvertible {
  public var description: String { "\(width)x\(height)" }
}
