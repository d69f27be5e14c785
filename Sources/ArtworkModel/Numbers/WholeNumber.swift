/// Numbers from files never trap: these are the only conversions to an integer. `Scripts/check` rejects others.

/// `value` without its fraction, like `Int(value)`; `nil` for NaN, infinities and values out of range.
@inlinable
package func wholeNumber<T: FixedWidthInteger>(_ value: Double, as type: T.Type = Int.self) -> T? {
  T(exactly: value.rounded(.towardZero))
}

extension FixedWidthInteger {
  /// The sum, or the nearest number that fits.
  package func addingClamped(_ other: Self) -> Self {
    let (value, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : value
  }

  /// The difference, or the nearest number that fits.
  package func subtractingClamped(_ other: Self) -> Self {
    let (value, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : value
  }

  /// The product, or the nearest number that fits.
  package func multipliedClamped(by other: Self) -> Self {
    let (value, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : value
  }
}

extension FixedWidthInteger {
  /// Digits only: no sign, no space, nothing empty.
  package init?(plainDigits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}
