extension SeamMeasurement.Timeline {
  /// Frames on each side of the seam that are compared, each with each.
  package static let depth = 6

  /// - Parameters:
  ///   - head, tail: differences among the frames of each end, both counted from the seam.
  ///   - across: `across[i][j]` from the frame `i` before the last to the frame `j` after the first.
  /// - Returns: `nil` for fewer than four frames at an end.
  package init?(head: [[Double]], tail: [[Double]], across: [[Double]]) {
    let depth = min(head.count, tail.count)
    guard depth >= 4 else { return nil }
    // The usual difference of frames at each distance.
    var usual = (0..<depth).map { (distance: Int) -> Double in
      let pairs = (0..<depth - distance).map { start in
        (head[start][start + distance] + tail[start][start + distance]) / 2
      }
      return pairs.mean ?? 0
    }
    // Noise makes even the same moment differ: this is the residual after extrapolating the motion to zero.
    usual[0] = max(0, min(usual[1], 2 * usual[1] - usual[2]))
    let unit = max(usual[1], 0.7)

    /// The mean misfit when frames `i` and `j` are `distance(i, j)` frames apart; `nil` if fewer than five
    /// pairs are near enough to know.
    func misfit(_ distance: (Int, Int) -> Int) -> Double? {
      var sum = 0.0
      var count = 0
      for i in 0..<depth {
        for j in 0..<depth {
          let apart = abs(distance(i, j))
          guard apart < depth else { continue }
          sum += abs(across[i][j] - usual[apart])
          count += 1
        }
      }
      return count < 5 ? nil : sum / Double(count) / unit
    }

    var best: (gap: Int, misfit: Double)?
    var loop: Double?
    // The nearest to a loop first: it wins if others fit no better.
    for gap in (3 - 2 * depth..<depth - 2).sorted(by: { abs($0 - 1) < abs($1 - 1) }) {
      guard let misfit = misfit({ $0 + $1 + gap }) else { continue }
      if gap == 1 { loop = misfit }
      if misfit < best?.misfit ?? .infinity { best = (gap, misfit) }
    }
    guard let best, let loop else { return nil }
    let mirror = (0...2).compactMap { turn in misfit { $0 + turn - $1 } }.min() ?? loop
    self.init(
      gap: best.gap, gapMisfit: best.misfit, loopMisfit: loop, mirrorMisfit: mirror)
  }
}
