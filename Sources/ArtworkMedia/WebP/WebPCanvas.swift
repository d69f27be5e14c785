internal import CKernels

/// What players show of an animated WebP that is being written, to draw anew only what changes.
///
/// A block stays while what it shows is as near to the next picture as it was when it was drawn. It is compared with what is
/// shown, not with the picture before: slow changes add up, and are drawn when they can be seen.
struct WebPCanvas {
  /// The part of the next picture that changes: its blocks, clear where others lie between them.
  struct Change {
    var area: CropArea
    var picture: PixelImage
    /// The share of the canvas that is drawn.
    var share: Double
    fileprivate var changed: [Bool]
  }

  private let size: PixelSize
  private let columns: Int
  private var shown: [UInt8] = []
  /// The blocks when they were drawn.
  private var drawn: [artwork_block] = []

  private static let side = Int(ARTWORK_BLOCK_SIDE)
  /// How much larger the error may become, in shares of itself and squared levels: what coding a picture again changes.
  private static let (errorRatio, leastError): (Float, Float) = (1.3, 1)
  /// The change of a mean that is not seen, in levels: in plain blocks, for each level of texture, and at most.
  private static let (plain, textured, mostChange): (Float, Float, Float) = (0.75, 0.1, 1.5)

  init(size: PixelSize) {
    self.size = size
    columns = (size.width + Self.side - 1) / Self.side
  }

  /// - Parameter image: in R, G and B.
  /// - Returns: `nil` for the first picture, which is drawn whole.
  func change(to image: PixelImage) -> Change? {
    guard !drawn.isEmpty else { return nil }
    let changed = zip(measured(image), drawn).map { now, then in
      let texture = max(0, now.variance).squareRoot()
      let limit = min(Self.mostChange, Self.plain + Self.textured * texture)
      let moved = max(
        abs(now.mean.0 - then.mean.0), abs(now.mean.1 - then.mean.1),
        abs(now.mean.2 - then.mean.2))
      // The same error shows more where the texture is gone.
      let kept = min(1, (now.variance + 4) / (then.variance + 4))
      return moved > limit || now.error > Self.errorRatio * then.error * kept + Self.leastError
    }
    let places = changed.indices.filter { changed[$0] }
    guard let first = places.first, let last = places.last else {
      let clear = PixelImage(
        size: PixelSize(width: 1, height: 1), channels: .rgba, bytes: [0, 0, 0, 0])
      return Change(
        area: CropArea(x: 0, y: 0, width: 1, height: 1), picture: clear, share: 0, changed: changed)
    }
    let across = places.map { $0 % columns }
    let left = (across.min() ?? 0) * Self.side
    let top = first / columns * Self.side
    let area = CropArea(
      x: left, y: top,
      width: min(size.width, ((across.max() ?? 0) + 1) * Self.side) - left,
      height: min(size.height, (last / columns + 1) * Self.side) - top)
    let bytes = [UInt8](unsafeUninitializedCapacity: 4 * area.width * area.height) { pixels, used in
      for y in top..<top + area.height {
        for x in left..<left + area.width {
          let from = (y * size.width + x) * 3
          for channel in 0..<3 { pixels[used + channel] = image.bytes[from + channel] }
          pixels[used + 3] = changed[y / Self.side * columns + x / Self.side] ? 255 : 0
          used += 4
        }
      }
    }
    return Change(
      area: area,
      picture: PixelImage(
        size: PixelSize(width: area.width, height: area.height), channels: .rgba, bytes: bytes),
      share: Double(places.count) / Double(changed.count), changed: changed)
  }

  /// Takes what was drawn.
  ///
  /// - Parameters:
  ///   - decoded: as players decode it, in R, G, B and A.
  ///   - change: `nil` for the whole picture.
  ///   - image: that it shows.
  mutating func draw(_ decoded: PixelImage, _ change: Change?, of image: PixelImage) {
    if shown.isEmpty { shown = [UInt8](repeating: 0, count: size.area * 3) }
    let (left, top) = (change?.area.x ?? 0, change?.area.y ?? 0)
    for y in 0..<decoded.size.height {
      for x in 0..<decoded.size.width {
        let from = (y * decoded.size.width + x) * 4
        guard decoded.bytes[from + 3] > 0 else { continue }
        let place = ((top + y) * size.width + left + x) * 3
        for channel in 0..<3 { shown[place + channel] = decoded.bytes[from + channel] }
      }
    }
    let now = measured(image)
    if let change {
      for place in now.indices where change.changed[place] { drawn[place] = now[place] }
    } else {
      drawn = now
    }
  }

  private func measured(_ image: PixelImage) -> [artwork_block] {
    let count = columns * ((size.height + Self.side - 1) / Self.side)
    return [artwork_block](unsafeUninitializedCapacity: count) { blocks, used in
      artwork_block_measure(
        image.bytes, shown, Int32(size.width), Int32(size.height), blocks.baseAddress)
      used = count
    }
  }
}
