internal import CKernels

/// Chooses the colours of a GIF from all of its pictures: one palette, so that no colour changes from frame to frame.
struct PaletteChooser {
  private var cells = [artwork_palette_cell](
    repeating: artwork_palette_cell(), count: Int(ARTWORK_PALETTE_CELLS))
  private(set) var isTransparent = false

  mutating func add(_ picture: PixelImage) {
    if picture.channels == .rgba, !isTransparent {
      isTransparent = stride(from: 3, to: picture.bytes.count, by: 4).contains {
        picture.bytes[$0] < 128
      }
    }
    unsafe picture.bytes.withUnsafeBufferPointer {
      unsafe artwork_palette_count(
        $0.baseAddress, picture.size.area, Int32(picture.channels.rawValue), &cells)
    }
  }

  /// R, G, B each, and how many of the first are exact: they cover much of the pictures, and are not dithered.
  ///
  /// - Parameter most: 2 to 255.
  /// - Throws: `out-of-memory`.
  func colors(most: Int) throws(InspectionError) -> (colors: [UInt8], exact: Int) {
    var colors = [UInt8](repeating: 0, count: 3 * most)
    var exact: Int32 = 0
    let count = unsafe artwork_palette_choose(cells, Int32(most), &colors, &exact)
    guard count >= 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "choose the colours")
    }
    return (Array(colors.prefix(3 * max(1, Int(count)))), Int(exact))
  }
}

/// Writes a GIF that repeats for ever (GIF89a) into memory, picture by picture.
///
/// Dithering is ordered, and fixed to the picture: what stands still keeps its pixels, at the loop point too. Of an opaque
/// picture only what changed is written.
struct GIFWriter {
  private var bytes: [UInt8] = []
  private let size: PixelSize
  private let colors: [UInt8]
  private let exact: Int
  /// The first index after the colours: transparent, or as it was.
  private let free: Int
  private let isTransparent: Bool
  private var known = [UInt16](repeating: 0, count: 1 << 18)
  private var last: [UInt8] = []
  /// The indices that players show, which differ from the drawn ones by the loss.
  private var shown: [UInt8] = []
  /// The distance of a colour that may stand for another, so that more pixels share a code.
  private let loss: Double
  /// Hundredths of a second that were written, and how much of the time that is.
  private var written: Int64 = 0
  private var end = 0.0

  /// - Parameters:
  ///   - colors: at most 255, R, G, B each, the exact ones first.
  ///   - isTransparent: every picture is drawn whole onto nothing.
  ///   - loss: the distance of a colour that may stand for another, in levels; 0 for none.
  init(size: PixelSize, colors: (colors: [UInt8], exact: Int), isTransparent: Bool, loss: Double) {
    self.loss = loss
    (self.size, self.isTransparent) = (size, isTransparent)
    let exact: Int
    (self.colors, exact) = colors
    self.exact = exact
    let colors = self.colors
    free = colors.count / 3
    bytes = Array("GIF89a".utf8)
    append(UInt16(clamping: size.width), UInt16(clamping: size.height))
    // A table of 256 colours of 8 bits, and square pixels.
    bytes += [0xF7, 0, 0] + colors
    bytes += [UInt8](repeating: 0, count: 768 - colors.count)
    bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
  }

  /// Adds a picture.
  ///
  /// - Parameter seconds: how long it is shown. Times are rounded to hundredths so that the errors do not add up.
  mutating func append(_ picture: PixelImage, seconds: Rational) {
    precondition(picture.size == size, "the pictures have one size")
    let indices = drawn(picture)
    end += seconds.value
    let delay = max(2, (wholeNumber((end * 100).rounded(), as: Int64.self) ?? 0) - written)
    written += delay
    let (area, pixels) = changed(indices)
    // Disposal: leave it, or clear it before the next picture.
    let flags: UInt8 = isTransparent ? 2 << 2 | 1 : 1 << 2 | 1
    bytes += [0x21, 0xF9, 4, flags]
    append(UInt16(clamping: delay))
    bytes += [UInt8(free), 0, 0x2C]
    append(UInt16(clamping: area.x), UInt16(clamping: area.y))
    append(UInt16(clamping: area.width), UInt16(clamping: area.height))
    bytes.append(0)
    bytes += packed(pixels, in: area)
    last = indices
  }

  /// Packs the pixels of an area, and takes what they show.
  private mutating func packed(_ pixels: [UInt8], in area: CropArea) -> [UInt8] {
    var pixels = pixels
    let count = pixels.count
    let below: [UInt8] =
      shown.isEmpty
      ? []
      : (area.y..<area.y + area.height).flatMap { y -> ArraySlice<UInt8> in
        shown.dropFirst(y * size.width + area.x).prefix(area.width)
      }
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: 2 * count + 64) { buffer, used in
      used = unsafe Self.withPalette(colors, exact: exact, free: free) { palette in
        var loss = unsafe artwork_gif_loss(palette: palette, shown: nil, most: loss * loss)
        guard unsafe loss.most > 0 else {
          return unsafe artwork_gif_pack(&pixels, count, nil, buffer.baseAddress)
        }
        return unsafe below.withUnsafeBufferPointer {
          unsafe loss.shown = below.isEmpty ? nil : $0.baseAddress
          return unsafe artwork_gif_pack(&pixels, count, &loss, buffer.baseAddress)
        }
      }
    }
    if loss > 0, !isTransparent {
      if shown.isEmpty { shown = [UInt8](repeating: 0, count: size.area) }
      for (place, index) in pixels.enumerated() where index != free {
        shown[(area.y + place / area.width) * size.width + area.x + place % area.width] = index
      }
    }
    return packed
  }

  private static func withPalette<R>(
    _ colors: [UInt8], exact: Int, free: Int, _ body: (UnsafePointer<artwork_palette>) -> R
  ) -> R {
    unsafe colors.withUnsafeBufferPointer { colors in
      var palette = unsafe artwork_palette(
        colors: colors.baseAddress, count: Int32(colors.count / 3), exact: Int32(exact),
        transparent: Int32(free))
      return unsafe body(&palette)
    }
  }

  /// The bytes of the complete file.
  consuming func finish() -> [UInt8] { bytes + [0x3B] }

  /// The number of bytes so far.
  var count: Int { bytes.count }

  private mutating func drawn(_ picture: PixelImage) -> [UInt8] {
    unsafe Self.withPalette(colors, exact: exact, free: free) { palette in
      unsafe [UInt8](unsafeUninitializedCapacity: size.area) { buffer, used in
        unsafe artwork_palette_draw(
          picture.bytes, Int32(size.width), Int32(size.height), Int32(picture.channels.rawValue),
          palette, &known, buffer.baseAddress)
        used = size.area
      }
    }
  }

  /// The rectangle that changed since the last picture, with what did not change in it as "as it was".
  private func changed(_ indices: [UInt8]) -> (CropArea, [UInt8]) {
    let whole = CropArea(x: 0, y: 0, width: size.width, height: size.height)
    guard !isTransparent, last.count == indices.count else { return (whole, indices) }
    var (left, right, top, bottom) = (size.width, -1, size.height, -1)
    for y in 0..<size.height {
      for x in 0..<size.width where indices[y * size.width + x] != last[y * size.width + x] {
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), y)
      }
    }
    // A picture that does not change still lasts.
    guard right >= 0 else {
      return (CropArea(x: 0, y: 0, width: 1, height: 1), [UInt8(free)])
    }
    let area = CropArea(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(area.width * area.height)
    for y in top...bottom {
      for place in y * size.width + left...y * size.width + right {
        pixels.append(indices[place] == last[place] ? UInt8(free) : indices[place])
      }
    }
    return (area, pixels)
  }

  private mutating func append(_ numbers: UInt16...) {
    for number in numbers { bytes += [UInt8(number & 255), UInt8(number >> 8)] }
  }
}
