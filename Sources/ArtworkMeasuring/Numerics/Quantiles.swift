/// Order statistics of small lists. Values have to be finite.
extension [Double] {
  /// The value below which `share` (0...1) of the values lie, interpolated; `nil` for an empty list.
  package func quantile(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    let place = share * Double(count - 1)
    let lower = Int(place)
    var values = self
    values.select(lower)
    let least = values[lower]
    guard place > Double(lower) else { return least }
    let next = values[(lower + 1)...].min() ?? least
    return least + (next - least) * (place - Double(lower))
  }

  package var median: Double? { quantile(0.5) }

  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

extension [Float] {
  /// The mean of the `number` largest values.
  func meanOfLargest(_ number: Int) -> Double {
    guard number < count else { return mean }
    var values = self
    values.select(count - number)
    return values.suffix(number).reduce(0) { $0 + Double($1) } / Double(Swift.max(1, number))
  }
}

extension Array where Element: Comparable {
  /// Moves the values so that none before `place` is larger than the one there and none after it smaller, by Hoare's method.
  /// Takes time in proportion to their number.
  fileprivate mutating func select(_ place: Int) {
    var (first, last) = (0, count - 1)
    while first < last {
      let pivot = self[(first + last) / 2]
      var (left, right) = (first, last)
      while left <= right {
        while self[left] < pivot { left += 1 }
        while self[right] > pivot { right -= 1 }
        if left <= right {
          swapAt(left, right)
          (left, right) = (left + 1, right - 1)
        }
      }
      if place <= right {
        last = right
      } else if place >= left {
        first = left
      } else {
        break
      }
    }
  }
}
