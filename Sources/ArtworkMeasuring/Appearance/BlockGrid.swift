/// Finds the grid that starved encoders leave in a picture: at even distances, both ways, small steps between calm sides.
struct BlockGrid {
  /// The share of the grid's edges that show, from 0 to 1. 0 if the squares are the picture's own.
  private(set) var edges = 0.0
  /// Whether the picture is made of even squares: mosaics, pixel art and the like.
  private(set) var isDrawn = false

  /// The samples along an edge that are averaged.
  private static let length = 8
  /// How many such pieces are measured each way, evenly spaced.
  private static let pieces = 60
  /// Steps of edges that count, in code values. Larger ones are drawn.
  private static let steps: ClosedRange<Float> = 1.5...20
  /// The distance of edges as they are coded, and after the usual enlargements.
  private static let coded = 8.0
  private static let enlarged = [
    1.125, 1.2, 1.25, 4 / 3, 1.4, 1.5, 1.6, 1.6875, 1.75, 16 / 9, 1.875, 2, 2.25,
  ].map { coded * $0 }

  /// Measures a picture.
  ///
  /// - Returns: `nil` for less than 160 samples a side: nothing smaller was labelled.
  init?(_ luma: PlanarPixels.Plane, bitDepth: Int) {
    guard min(luma.width, luma.height) >= 160 else { return nil }
    var columns = (EdgeCounts(reach: 1, luma.width), EdgeCounts(reach: 3, luma.width))
    var rows = (EdgeCounts(reach: 1, luma.height), EdgeCounts(reach: 3, luma.height))
    Self.measure(luma, bitDepth, down: false, &columns)
    Self.measure(luma, bitDepth, down: true, &rows)
    let sharp = GridFit(columns.0, rows.0, distance: Self.coded)
    let soft = Self.enlarged.map { GridFit(columns.1, rows.1, distance: $0) }
      .max { $0.contrast < $1.contrast }
    guard let soft else { return nil }
    isDrawn = sharp.isDrawn || soft.isDrawn && soft.contrast > sharp.contrast
    if !isDrawn { edges = max(0, sharp.edges, soft.edges) }
  }

  /// Counts the edges across lines that are means of a few rows, or columns.
  private static func measure(
    _ luma: PlanarPixels.Plane, _ bitDepth: Int, down: Bool,
    _ counts: inout (EdgeCounts, EdgeCounts)
  ) {
    let room = (down ? luma.width : luma.height) / length
    let count = min(pieces, room)
    var line = [Float](repeating: 0, count: down ? luma.height : luma.width)
    for piece in 0..<count {
      let start = piece * room / count * length
      LumaLine.read(
        luma, bitDepth: bitDepth, x: down ? start : 0, y: down ? 0 : start, across: length,
        down: down, to: &line, at: line.indices)
      counts.0.add(line, steps: steps)
      counts.1.add(line, steps: steps)
    }
  }
}

/// How often there is an edge at each place of many lines.
private struct EdgeCounts {
  /// The samples from one side of an edge to the other.
  let reach: Int
  private(set) var lines: Float = 0
  /// Small steps between calm sides, by place.
  private(set) var small: [Float]
  /// Steps that are too large for an encoder.
  private(set) var large: [Float]

  init(reach: Int, _ length: Int) {
    self.reach = reach
    small = [Float](repeating: 0, count: length - 3 * reach)
    large = small
  }

  mutating func add(_ line: [Float], steps: ClosedRange<Float>) {
    lines += 1
    let (reach, least, most) = (reach, steps.lowerBound, steps.upperBound)
    for place in small.indices {
      let (a, b) = (line[place], line[place + reach])
      let (c, d) = (line[place + 2 * reach], line[place + 3 * reach])
      let step = abs(c - b)
      let calm = max(abs(b - a), abs(d - c)) <= 0.35 * step + 0.3
      small[place] += calm && step >= least && step <= most ? 1 : 0
      large[place] += step > most ? 1 : 0
    }
  }
}

/// How well edges fit a grid, by the direction that fits less.
private struct GridFit {
  /// The share of edges on the grid over the share at any other offset.
  private(set) var contrast = 1.0
  /// The share that most lines of the grid reach.
  private var most = 0.0
  private var largest = 0.0
  private var largeOnGrid = 0.0
  private var largeAnywhere = 0.0
  private let places: Double

  init(_ columns: EdgeCounts, _ rows: EdgeCounts, distance: Double) {
    places = distance / Double(columns.reach)
    for counts in [columns, rows] { add(counts, distance) }
  }

  var edges: Double { min(contrast, 2 * most) }

  /// Encoders leave neither all edges nor large steps mainly on the grid.
  var isDrawn: Bool {
    largest >= 0.8 || largeOnGrid > 0.02 && largeOnGrid > 0.85 * largeAnywhere * places
  }

  private mutating func add(_ counts: EdgeCounts, _ distance: Double) {
    let offsets = wholeNumber(distance.rounded(.up)) ?? 0
    func mean(_ values: [Float], _ offset: Int) -> Double {
      let line = Self.line(values, offset, distance)
      return Double(line.reduce(0, +) / counts.lines) / Double(max(1, line.count))
    }
    let shares = (0..<offsets).map { mean(counts.small, $0) }
    let best = shares.indices.max { shares[$0] < shares[$1] } ?? 0
    // The neighbours of an edge share in it.
    let near = Double(counts.reach)
    let others = shares.indices.filter {
      let way = abs(Double($0 - best))
      return min(way, distance - way) > near
    }
    contrast = min(contrast, shares[best] - (others.map { shares[$0] }.max() ?? 0))
    let typical = Self.line(counts.small, best, distance).map(Double.init).quantile(0.3) ?? 0
    most = max(most, typical / Double(counts.lines))
    largest = max(largest, shares[best])
    largeOnGrid += mean(counts.large, best)
    largeAnywhere +=
      (0..<offsets).map { mean(counts.large, $0) }.reduce(0, +) / Double(max(1, offsets))
  }

  /// The values on a grid.
  private static func line(_ values: [Float], _ offset: Int, _ distance: Double) -> [Float] {
    stride(from: Double(offset), to: Double(values.count) - 0.51, by: distance).compactMap {
      wholeNumber($0.rounded()).map { values[$0] }
    }
  }
}
