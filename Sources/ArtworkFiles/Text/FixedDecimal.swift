/// `value` with exactly `places` decimals, for columns and for programs that expect them.
package func fixedDecimal(_ value: Double, places: Int) -> String {
  let text = decimal(value, places: places)
  guard places > 0, value.isFinite, abs(value) < 1e15 else { return text }
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let fraction = parts.count > 1 ? String(parts[1]) : ""
  return parts[0] + "." + fraction + String(repeating: "0", count: max(0, places - fraction.count))
}
