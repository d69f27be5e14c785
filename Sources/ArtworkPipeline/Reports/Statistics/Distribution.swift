/// How a measured value is distributed over the files of a run.
package struct Distribution: Sendable, Equatable, Encodable {
  package struct Bin: Sendable, Equatable, Encodable {
    /// The first value that belongs to it, and the first that does not; `nil` without an end.
    package var from: Double
    package var to: Double?
    package var count: Int
  }

  /// The measured quantity. The raw value is its name in JSON.
  package enum Measure: String, Sendable, Encodable, CaseIterable {
    case durationSeconds, frameRate, shorterSide, fileBytes, seamScore
  }

  package var measure: Measure
  package var count: Int
  /// Quantiles: the smallest value that at least this share of the files does not exceed.
  package var least: Double
  package var quarter: Double
  package var median: Double
  package var threeQuarters: Double
  package var most: Double
  package var bins: [Bin]

  /// `nil` if nothing was measured.
  init?(_ measure: Measure, _ values: [Double]) {
    let sorted = values.filter(\.isFinite).sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    func quantile(_ share: Double) -> Double {
      let rank = wholeNumber((share * Double(sorted.count)).rounded(.up), as: Int.self) ?? 1
      return sorted[min(max(rank, 1), sorted.count) - 1]
    }
    self.measure = measure
    count = sorted.count
    (least, most) = (first, last)
    (quarter, median, threeQuarters) = (quantile(0.25), quantile(0.5), quantile(0.75))
    let edges = measure.edges
    bins = edges.enumerated().map { index, edge in
      Bin(from: edge, to: index + 1 < edges.count ? edges[index + 1] : nil, count: 0)
    }
    var bin = 0
    for value in sorted {
      while let end = bins[bin].to, value >= end { bin += 1 }
      bins[bin].count += 1
    }
  }
}

extension Distribution.Measure {
  /// The starts of the bins: at round values, so that runs can be compared.
  fileprivate var edges: [Double] {
    switch self {
    case .durationSeconds: [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60]
    // Around the usual rates, so that 23.976 and 24 share a bin.
    case .frameRate: [0, 11, 14, 23, 24.5, 29, 31, 47, 51, 59, 61]
    case .shorterSide: [0, 240, 360, 480, 600, 720, 1000, 1080, 1440, 2048, 2732, 3840]
    case .fileBytes: [0] + (16...30).map { Double(1 << $0) }
    case .seamScore: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 5, 10, 20]
    }
  }

  var title: String {
    switch self {
    case .durationSeconds: "Duration"
    case .frameRate: "Frame rate"
    case .shorterSide: "Shorter side"
    case .fileBytes: "File size"
    case .seamScore: "Seam score"
    }
  }

  /// Formats a value with its unit.
  func words(_ value: Double) -> String {
    switch self {
    case .durationSeconds: "\(decimal(value, places: 2)) s"
    case .frameRate: "\(decimal(value, places: 2)) fps"
    case .shorterSide: "\(decimal(value, places: 0)) px"
    case .fileBytes:
      value < 1_048_576
        ? "\(decimal(value / 1024, places: 0)) KiB"
        : "\(decimal(value / 1_048_576, places: value < 10 * 1_048_576 ? 1 : 0)) MiB"
    case .seamScore: decimal(value, places: 2)
    }
  }
}

extension Distribution {
  /// The bins from the first to the last that holds something.
  var visibleBins: ArraySlice<Bin> {
    guard let first = bins.firstIndex(where: { $0.count > 0 }),
      let last = bins.lastIndex(where: { $0.count > 0 })
    else { return [] }
    return bins[first...last]
  }

  func label(_ bin: Bin) -> String {
    bin.to.map { "\(measure.words(bin.from)) to \(measure.words($0))" }
      ?? "\(measure.words(bin.from)) and more"
  }

  /// The distribution in words, for example `1 s to 29.97 s, half of them from 4 s to 8 s, median 6 s`.
  var sentence: String {
    "\(measure.words(least)) to \(measure.words(most)), half of them from \(measure.words(quarter)) to "
      + "\(measure.words(threeQuarters)), median \(measure.words(median))"
  }
}
