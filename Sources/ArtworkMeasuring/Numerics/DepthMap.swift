internal import CKernels
import Glibc

/// Estimated depth of each part of a cover, from the picture alone: salient, sharp and low parts are near.
///
/// Depth varies smoothly. At edges it hardly changes, so that letters, logos and faces stay in one plane, and it
/// changes where that is invisible.
struct DepthMap: Sendable {
  /// Nodes each way, the outermost at the edges of the picture.
  static let side = 65

  /// `side * side` depths, -1 (far) to 1 (near), row by row.
  private(set) var nodes: [Double]
  /// How strong the edges at each node are, 0 to 1.
  private let edges: [Double]
  /// The share of salience in the most salient quarter of the picture; 0.25 if nothing stands out.
  let clarity: Double

  private static let cells = side - 1
  /// The weight of each estimate relative to salience.
  private enum Weight {
    static let sharpness = 0.5
    static let height = 0.3
  }
  /// Nodes within which depths even out, where there are no edges, and how much stiffer edges are.
  private static let reach = 5.0
  private static let stiffness = 40.0
  /// Differences of neighbouring cells that make a full edge, in code values.
  private static let fullEdge = 20.0
  private static let passes = 160

  init(_ picture: PixelImage) {
    let (thumbnail, fine) = CodedPicture(picture).withPlanes {
      (BoxAverage.thumbnail($0), Self.fineDetail($0.luma))
    }
    let attention = Self.halved(FocusMap([thumbnail]).cells)
    let luma = thumbnail.luma.map(Double.init)
    let contrast = Self.contrast(luma)
    // Detail beside the contrast that it belongs to: soft shapes have little.
    let sharpness = zip(fine, contrast).map { $0 / ($1 + 4) }
    let drawn = Self.softened(attention)
    let total = max(1e-9, drawn.reduce(0, +))
    clarity = drawn.sorted(by: >).prefix(drawn.count / 4).reduce(0, +) / total
    let (first, second) = (Self.ranked(drawn), Self.ranked(Self.softened(sharpness)))
    let guess = first.indices.map { place in
      first[place] + Weight.sharpness * second[place]
        + Weight.height * Double(place / Self.cells) / Double(Self.cells)
    }
    edges = Self.onNodes(contrast.map { min(1, $0 / Self.fullEdge) })
    nodes = Self.spread(Self.smoothed(Self.onNodes(guess), edges))
  }

  /// The largest factor of the depths, at most 1, at which no distortion is visible.
  ///
  /// - Parameter shift: how far a difference in depth of 1 moves a pixel at most, in sides of the picture.
  func factor(shift: Double, flat: Double, edge: Double) -> Double {
    let spacing = 1 / Double(Self.cells)
    var factor = 1.0
    for place in nodes.indices {
      let (x, y) = (place % Self.side, place / Self.side)
      let across = x + 1 < Self.side ? nodes[place + 1] - nodes[place] : 0
      let down = y + 1 < Self.side ? nodes[place + Self.side] - nodes[place] : 0
      let slope = shift * (across * across + down * down).squareRoot() / spacing
      let most = flat + (edge - flat) * edges[place]
      if slope * factor > most { factor = most / slope }
    }
    return factor
  }

  /// The mean difference of each sample from the mean of its neighbours in the row, in each cell.
  private static func fineDetail(_ luma: PlanarPixels.Plane) -> [Double] {
    var sums = [Double](repeating: 0, count: cells * cells)
    var counts = sums
    guard luma.width > 2 else { return sums }
    for y in 0..<luma.height {
      let row = (luma.start + y * luma.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      let line = y * cells / luma.height * cells
      for x in 1..<luma.width - 1 {
        let place = line + x * cells / luma.width
        sums[place] += abs(Double(2 * Int(row[x]) - Int(row[x - 1]) - Int(row[x + 1]))) / 2
        counts[place] += 1
      }
    }
    return zip(sums, counts).map { $0 / max(1, $1) }
  }

  /// How far the cells around each one are apart at most.
  private static func contrast(_ luma: [Double]) -> [Double] {
    luma.indices.map { place in
      let (x, y) = (place % cells, place / cells)
      var (low, high) = (luma[place], luma[place])
      for row in max(0, y - 1)...min(cells - 1, y + 1) {
        for column in max(0, x - 1)...min(cells - 1, x + 1) {
          low = min(low, luma[row * cells + column])
          high = max(high, luma[row * cells + column])
        }
      }
      return high - low
    }
  }

  private static func halved(_ detail: [Double]) -> [Double] {
    (0..<cells * cells).map { place in
      let corner = place / cells * 2 * FocusMap.side + place % cells * 2
      return
        (detail[corner] + detail[corner + 1] + detail[corner + FocusMap.side]
        + detail[corner + FocusMap.side + 1]) / 4
    }
  }

  /// Three passes of a mean over nine cells each way, about a Gaussian.
  private static func softened(_ values: [Double]) -> [Double] {
    var values = values
    for _ in 0..<3 {
      for step in [1, cells] {
        let before = values
        for place in values.indices {
          let line = step == 1 ? place / cells * cells : place % cells
          let index = step == 1 ? place % cells : place / cells
          let range = max(0, index - 4)...min(cells - 1, index + 4)
          values[place] =
            range.reduce(0) { $0 + before[line + $1 * step] } / Double(range.count)
        }
      }
    }
    return values
  }

  /// The share of all values that are lower, so that a few strong ones do not decide.
  private static func ranked(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var (start, last) = (0, -Double.infinity)
    for (rank, place) in order.enumerated() {
      // Equal values have one rank.
      if values[place] > last { (start, last) = (rank, values[place]) }
      ranks[place] = Double(start) / Double(values.count)
    }
    return ranks
  }

  /// The mean of the cells around each node.
  private static func onNodes(_ values: [Double]) -> [Double] {
    (0..<side * side).map { node in
      let (x, y) = (node % side, node / side)
      let rows = max(0, y - 1)...min(cells - 1, y)
      let columns = max(0, x - 1)...min(cells - 1, x)
      let sum = rows.reduce(0.0) { sum, row in
        columns.reduce(sum) { $0 + values[row * cells + $1] }
      }
      return sum / Double(rows.count * columns.count)
    }
  }

  /// The smooth surface nearest to a guess: neighbours pull each other together, those at edges much more.
  private static func smoothed(_ guess: [Double], _ edges: [Double]) -> [Double] {
    let hold = 1 / (reach * reach)
    var depths = guess
    func pull(_ one: Int, _ other: Int) -> Double {
      1 + stiffness * max(edges[one], edges[other])
    }
    // Gauss and Seidel, overrelaxed.
    for _ in 0..<passes {
      for place in depths.indices {
        let (x, y) = (place % side, place / side)
        var (sum, weight) = (hold * guess[place], hold)
        func add(_ other: Int) {
          let strength = pull(place, other)
          sum += strength * depths[other]
          weight += strength
        }
        if x > 0 { add(place - 1) }
        if x + 1 < side { add(place + 1) }
        if y > 0 { add(place - side) }
        if y + 1 < side { add(place + side) }
        depths[place] += 1.7 * (sum / weight - depths[place])
      }
    }
    return depths
  }

  /// -1 to 1; all 0 if nothing differs.
  private static func spread(_ depths: [Double]) -> [Double] {
    let (low, high) = (depths.min() ?? 0, depths.max() ?? 0)
    guard high - low > 1e-6 else { return depths.map { _ in 0 } }
    return depths.map { 2 * ($0 - low) / (high - low) - 1 }
  }
}

extension PixelImage {
  /// The picture with each place taken from another: `DepthMap.side` squared vectors in pixels, row by row, smooth between.
  ///
  /// - Throws: `out-of-memory`.
  func warped(by nodes: [artwork_flow_vector]) throws(InspectionError) -> PixelImage {
    try size.filled { pixels in
      bytes.withUnsafeBufferPointer {
        artwork_warp(
          $0.baseAddress, Int32(size.width), Int32(size.height), nodes, Int32(DepthMap.side),
          pixels) != 0
      }
    }
  }
}
