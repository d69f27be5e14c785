/// Order statistics of small lists. Values have to be finite.
extension [Double] {
  /// The value below which `share` (0...1) of the values lie, interpolated; `nil` for an empty list.
  func quantile(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let place = share * Double(count - 1)
    let lower = Int(place)
    let upper = Swift.min(lower + 1, count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (place - Double(lower))
  }

  var median: Double? { quantile(0.5) }

  var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

  /// The largest value but for outliers above four times the median (at least `floor`), such as cuts; 0 for an
  /// empty list.
  func largestButCuts(floor: Double) -> Double {
    let sorted = sorted()
    guard let least = sorted.first else { return 0 }
    let limit = 4 * Swift.max(sorted[count / 2], floor)
    return sorted.last { $0 <= limit } ?? least
  }
}
