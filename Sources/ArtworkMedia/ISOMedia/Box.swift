/// The four characters that name a box, or a chunk of PNG.
struct BoxType: Hashable, ExpressibleByStringLiteral {
  let code: UInt32

  init(code: UInt32) { self.code = code }

  init(stringLiteral name: String) {
    code = name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2).
struct Box {
  var type: BoxType
  /// The payload's extent in the file, cut at the end of the enclosing box.
  var start: Int64
  var end: Int64
  /// The start of the next box according to this one: past the end of the file if this one's size is too large.
  var next: Int64

  var payload: Int64 { end - start }
}

/// Big-endian fields and box headers of a file, read through a small window, so that neighbours cost
/// one read. A class because reading moves the window. Nothing is read twice in a forward walk.
final class BoxReader {
  /// `nil` for bytes in memory, which the window holds.
  private let input: InputFile?
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  /// One page: most movie headers of short clips fit.
  private static let windowSize = 4096

  let fileSize: Int64

  init(_ input: InputFile) {
    self.input = input
    fileSize = input.size
  }

  init(_ bytes: [UInt8]) {
    input = nil
    window = bytes
    fileSize = Int64(bytes.count)
  }

  /// A field of 1 to 8 bytes inside `box`; `nil` past its end or that of the file.
  func unsigned(at offset: Int64, size: Int, in box: Box) -> UInt64? {
    guard offset >= 0, offset <= box.payload - Int64(size) else { return nil }
    return unsigned(at: box.start + offset, size: size)
  }

  /// A field of 1 to 8 bytes; `nil` past the end of the file.
  func unsigned(at offset: Int64, size: Int) -> UInt64? {
    guard offset >= 0, offset <= fileSize - Int64(size) else { return nil }
    if offset < windowStart || offset - windowStart > Int64(window.count - size) {
      window = input?.bytes(at: offset, count: Self.windowSize) ?? []
      windowStart = offset
      guard window.count >= size else { return nil }
    }
    // Inside the window by the lines above, which is a page.
    let first = Int(truncatingIfNeeded: offset - windowStart)
    var value: UInt64 = 0
    for index in first..<first + size { value = value << 8 | UInt64(window[index]) }
    return value
  }

  /// The boxes side by side from `start` on in a parent that ends at `limit`, at most so many.
  func boxes(_ start: Int64, _ limit: Int64, most: Int) -> [Box] {
    var (found, offset): ([Box], Int64) = ([], start)
    while found.count < most, let box = box(at: offset, limit: limit) {
      found.append(box)
      offset = box.next
    }
    return found
  }

  /// The box at `offset` inside a parent that ends at `limit`; `nil` if there cannot be one.
  func box(at offset: Int64, limit: Int64) -> Box? {
    guard offset >= 0, limit <= fileSize, limit - offset >= 8,
      let short = unsigned(at: offset, size: 4), let name = unsigned(at: offset + 4, size: 4)
    else { return nil }
    var headerSize: Int64 = 8
    var size = Int64(short)
    if short == 1 {
      guard limit - offset >= 16, let long = unsigned(at: offset + 8, size: 8) else { return nil }
      headerSize = 16
      size = Int64(clamping: long)
    } else if short == 0 {
      size = limit - offset
    }
    guard size >= headerSize else { return nil }
    let next = offset.addingClamped(size)
    return Box(
      type: BoxType(code: UInt32(truncatingIfNeeded: name)), start: offset + headerSize,
      end: min(next, limit), next: next)
  }
}
