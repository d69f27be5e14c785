import Glibc

extension Span<UInt8> {
  /// The first place of a byte within a range, searched with vector instructions; `nil` if it is not there.
  ///
  /// The range must lie within the span.
  package func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int? {
    let part = extracting(range)
    return part.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, Int32(byte), buffer.count)
      else { return nil }
      return range.lowerBound + UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    }
  }
}
