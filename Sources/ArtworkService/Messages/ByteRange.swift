import ArtworkModel

/// The `Range` of a request (RFC 9110, 14): one range of bytes. Other ranges are ignored, as a server may.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int64>)
  case notSatisfiable

  /// - Parameter length: bytes of the whole.
  init(_ field: String?, of length: Int64) {
    self = field.flatMap { Self.parse($0, length) } ?? .whole
  }

  private static func parse(_ field: String, _ length: Int64) -> ByteRange? {
    guard let equals = field.firstIndex(of: "="),
      field[..<equals].lowercased() == "bytes"
    else { return nil }
    let ends = field[field.index(after: equals)...].filter { $0 != " " }
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?):
      guard first <= last else { return nil }
      // Does not overflow for the largest possible last byte.
      return first < length ? .part(first..<(min(last, length - 1) + 1)) : .notSatisfiable
    case (let first?, nil) where ends[1].isEmpty:
      return first < length ? .part(first..<length) : .notSatisfiable
    case (nil, let count?) where ends[0].isEmpty:
      return count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .notSatisfiable
    default: return nil
    }
  }

  /// A number too large for 64 bits counts as beyond the end.
  private static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text) ?? Int64.max
  }
}
