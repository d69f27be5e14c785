/// `value` with at most `places` decimals, without trailing zeros.
package func decimal(_ value: Double, places: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  var scale: Int64 = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = (value * Double(scale)).rounded()
  guard let digits = wholeNumber(scaled, as: Int64.self) else { return "\(value)" }
  let whole = digits.magnitude / UInt64(scale)
  var fraction = String(digits.magnitude % UInt64(scale))
  fraction = String(repeating: "0", count: max(0, places - fraction.count)) + fraction
  while fraction.last == "0" { fraction.removeLast() }
  let sign = digits < 0 ? "-" : ""
  return fraction.isEmpty || places == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction)"
}
