/// Order statistics of small lists. Values have to be finite.
extension [Double] {
  /// The value below which `share` (0...1) of the values lie, interpolated; `nil` for an empty list.
  package func quantile(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let place = share * Double(count - 1)
    let lower = Int(place)
    let upper = Swift.min(lower + 1, count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (place - Double(lower))
  }

  package var median: Double? { quantile(0.5) }

  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
