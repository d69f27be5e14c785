internal import CKernels

/// What players show of an animated WebP that is being written, to draw anew only what changes.
///
/// A block stays while what it shows is as near to the next picture as it was when it was drawn. It is compared with what is
/// shown, not with the picture before: slow changes add up, and are drawn when they can be seen. The last pictures lead back
/// to the first, block by block: otherwise all would change at once where the animation repeats.
struct WebPCanvas {
  /// The part of the next picture that changes: its blocks, clear where others lie between them.
  struct Change {
    var area: CropArea
    var picture: PixelImage
    /// The share of the canvas that is drawn.
    var share: Double
    /// Whether a part leads back to the first picture, which the whole would not.
    var isLed = false
    fileprivate var changed: [Bool]
  }

  /// What is shown, and the blocks when they were drawn.
  private struct State {
    var shown: [UInt8] = []
    var drawn: [artwork_block] = []
  }

  private let size: PixelSize
  private let columns: Int
  private let count: Int
  private var number = 0
  private var (now, first) = (State(), State())

  private static let side = Int(ARTWORK_BLOCK_SIDE)
  /// How much larger the error may become, in shares of itself and squared levels: what coding a picture again changes.
  private static let (errorRatio, leastError): (Float, Float) = (1.3, 1)
  /// The change of a mean that is not seen, in levels: in plain blocks, for each level of texture, and at most.
  private static let (plain, textured, mostChange): (Float, Float, Float) = (0.75, 0.1, 1.5)

  /// - Parameter count: of the pictures.
  init(size: PixelSize, count: Int) {
    (self.size, self.count) = (size, count)
    columns = (size.width + Self.side - 1) / Self.side
  }

  /// - Parameter image: in R, G and B.
  /// - Returns: `nil` for the first picture, which is drawn whole.
  func change(to image: PixelImage) -> Change? {
    guard number > 0 else { return nil }
    let blocks = measured(image.bytes, over: now.shown)
    let led = led(blocks, image)
    let changed = blocks.indices.map { led[$0] || Self.differs(blocks[$0], now.drawn[$0]) }
    let places = changed.indices.filter { changed[$0] }
    guard let upper = places.first, let lower = places.last else {
      let clear = PixelImage(
        size: PixelSize(width: 1, height: 1), channels: .rgba, bytes: [0, 0, 0, 0])
      return Change(
        area: CropArea(x: 0, y: 0, width: 1, height: 1), picture: clear, share: 0, changed: changed)
    }
    let across = places.map { $0 % columns }
    let left = (across.min() ?? 0) * Self.side
    let top = upper / columns * Self.side
    let area = CropArea(
      x: left, y: top,
      width: min(size.width, ((across.max() ?? 0) + 1) * Self.side) - left,
      height: min(size.height, (lower / columns + 1) * Self.side) - top)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4 * area.width * area.height) {
      pixels, used in
      for y in top..<top + area.height {
        for x in left..<left + area.width {
          let from = (y * size.width + x) * 3
          let block = y / Self.side * columns + x / Self.side
          for channel in 0..<3 {
            unsafe pixels[used + channel] =
              led[block] ? first.shown[from + channel] : image.bytes[from + channel]
          }
          unsafe pixels[used + 3] = changed[block] ? 255 : 0
          used += 4
        }
      }
    }
    return Change(
      area: area,
      picture: PixelImage(
        size: PixelSize(width: area.width, height: area.height), channels: .rgba, bytes: bytes),
      share: Double(places.count) / Double(changed.count), isLed: led.contains(true),
      changed: changed)
  }

  /// Whether a block is too far from what is shown in its place.
  ///
  /// - Parameter then: the block that this was drawn for.
  private static func differs(_ block: artwork_block, _ then: artwork_block) -> Bool {
    let limit = min(mostChange, plain + textured * max(0, block.variance).squareRoot())
    let moved = max(
      abs(block.mean.0 - then.mean.0), abs(block.mean.1 - then.mean.1),
      abs(block.mean.2 - then.mean.2))
    // The same error shows more where the texture is gone.
    let kept = min(1, (block.variance + 4) / (then.variance + 4))
    return moved > limit || block.error > errorRatio * then.error * kept + leastError
  }

  /// The blocks that are drawn as the first picture shows them, since they are the same in this one: those that change, and
  /// each in its turn.
  private func led(_ blocks: [artwork_block], _ image: PixelImage) -> [Bool] {
    let left = count - number
    guard left <= LoopEnd.length else { return [Bool](repeating: false, count: blocks.count) }
    let firsts = measured(image.bytes, over: first.shown)
    let apart = measured(first.shown, over: now.shown)
    return blocks.indices.map { place in
      guard apart[place].error > Self.leastError / 2,
        !Self.differs(firsts[place], first.drawn[place])
      else { return false }
      // Neighbours have different turns.
      let turn = Int((UInt32(truncatingIfNeeded: place) &* 2_654_435_761) >> 16) % LoopEnd.length
      return turn >= left - 1 || Self.differs(blocks[place], now.drawn[place])
    }
  }

  /// Takes what was drawn.
  ///
  /// - Parameters:
  ///   - decoded: as players decode it, in R, G, B and A.
  ///   - change: `nil` for the whole picture.
  ///   - image: that it shows.
  mutating func draw(_ decoded: PixelImage, _ change: Change?, of image: PixelImage) {
    if number == 0 { now.shown = [UInt8](repeating: 0, count: size.area * 3) }
    let (left, top) = (change?.area.x ?? 0, change?.area.y ?? 0)
    for y in 0..<decoded.size.height {
      for x in 0..<decoded.size.width {
        let from = (y * decoded.size.width + x) * 4
        guard decoded.bytes[from + 3] > 0 else { continue }
        let place = ((top + y) * size.width + left + x) * 3
        for channel in 0..<3 { now.shown[place + channel] = decoded.bytes[from + channel] }
      }
    }
    let blocks = measured(image.bytes, over: now.shown)
    if let change {
      for place in blocks.indices where change.changed[place] { now.drawn[place] = blocks[place] }
    } else {
      now.drawn = blocks
    }
    if number == 0 { first = now }
    number += 1
  }

  private func measured(_ wanted: [UInt8], over shown: [UInt8]) -> [artwork_block] {
    let count = columns * ((size.height + Self.side - 1) / Self.side)
    return unsafe [artwork_block](unsafeUninitializedCapacity: count) { blocks, used in
      unsafe artwork_block_measure(
        wanted, shown, Int32(size.width), Int32(size.height), blocks.baseAddress)
      used = count
    }
  }
}
