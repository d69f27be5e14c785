/// The values that the parent accepts from a worker that may lie: those that rules and reports can calculate with and
/// print. Whether they are true cannot be checked.
enum ReplyValidation {
  /// Far above any fact of a file within the limits, and sums of a few still fit; exact in JSON.
  private static let largest: UInt64 = 1 << 53
  /// Bytes. FFmpeg's longest log line has 512.
  private static let longestText = 4096
  /// Entries. An edit list is read to a thousand.
  private static let longestList = 1000

  private static func isCountable(_ number: some FixedWidthInteger) -> Bool {
    number.magnitude <= largest
  }

  /// Checks every stored value, so that none is forgotten when a type gets a new one.
  static func holds(for value: Any) -> Bool {
    switch value {
    case let number as Int: return isCountable(number)
    case let number as Double: return number.isFinite
    case let number as Float: return number.isFinite
    // One for each frame; jobs compare the counts.
    case let series as [Float]: return series.allSatisfy(\.isFinite)
    // In lowest terms since it was decoded, and compared without overflow.
    case is Rational: return true
    // Its shape was fixed by decoding.
    case is PictureSignature: return true
    case let text as String: return text.utf8.count <= longestText
    case let facts as MediaFacts where !facts.isPossible: return false
    case let cadence as Cadence: return cadence.isPossible
    default:
      let mirror = Mirror(reflecting: value)
      let children = mirror.children
      // Asked of plain values alone: looking a conformance up takes longer than all the rest.
      if mirror.displayStyle == nil, let number = value as? any FixedWidthInteger {
        return isCountable(number)
      }
      return children.count <= longestList && children.allSatisfy { holds(for: $0.value) }
    }
  }
}
