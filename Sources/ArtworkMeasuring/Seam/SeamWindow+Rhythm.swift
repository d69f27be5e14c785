extension SeamWindow {
  /// Whether the change at the seam is one of several that divide the clip into equal parts, in the picture's 16x16 cells or
  /// in its mean colour, which beams and crowds that move do not change.
  func rhythm(in round: Int) throws(MissingFrames) -> SeamMeasurement.Rhythm? {
    var cells: [Double] = []
    var means: [Double] = []
    for number in 0..<round {
      let (one, other) = (
        try clip.trace(number).cells, try clip.trace((number + 1) % round).cells
      )
      cells.append(one.meanChange(to: other))
      means.append(one.changeOfMean(to: other))
    }
    return SeamMeasurement.Rhythm(changes: cells) ?? SeamMeasurement.Rhythm(changes: means)
  }

  /// Whether a sample of the inside shows a change that may be one of several like that at the seam.
  func mayBeat() throws(MissingFrames) -> Bool {
    for change in [FrameCells.meanChange, FrameCells.changeOfMean] {
      func step(to number: Int) throws(MissingFrames) -> Double {
        change(try clip.trace(number > 0 ? number - 1 : clip.count - 1).cells)(
          try clip.trace(number).cells)
      }
      let seam = try step(to: 0)
      for number in window..<clip.count - window
      where clip.hasSeen(number - 2...number + 1) {
        if SeamMeasurement.Rhythm.mayBeat(
          try step(to: number), as: seam,
          beside: max(try step(to: number - 1), try step(to: number + 1)))
        {
          return true
        }
      }
    }
    return false
  }

  /// Frames inside that have less than this share of the contrast on both sides, as blank frames of a strobe do.
  func blanks(below share: Double) throws(MissingFrames) -> Int {
    var count = 0
    for number in 1..<max(1, clip.round - 1) where clip.hasSeen(number - 1...number + 1) {
      let beside = min(
        try clip.trace(number - 1).contrast, try clip.trace(number + 1).contrast)
      if try clip.trace(number).contrast < share * beside { count += 1 }
    }
    return count
  }
}

extension SeamMeasurement.Rhythm {
  /// Smallest change at the seam that counts as a change of light, in code values.
  private static let least = 3.0
  /// A change stands out if it is this multiple of the median of its surroundings.
  private static let prominence = 2.0
  /// The shortest interval of beats in frames, and the fewest beats that divide the clip.
  private static let (shortest, fewest) = (6, 3)
  /// The least share of the places inside with a change that stands out; and for each of these, the most other places
  /// that are half as large as usual.
  private static let (kept, stray) = (0.65, 0.4)
  /// Changes inside are at least this multiple of the one at the seam. The median and the largest of them are at
  /// least these, and none is larger: less is required if all of three or more places have one, because colours of
  /// flashes differ.
  private static let size = 0.2
  private static let (sizes, sizesOfAll) = (
    (usual: 0.5, largest: 0.8, most: 3.0), (usual: 0.4, largest: 0.5, most: 12.0)
  )
  /// Three parts are coincidence unless both changes inside are this much alike.
  private static let alike = 0.75

  /// - Parameter changes: from each frame to the next, from the last to the first at the end.
  /// - Returns: `nil` if those like the last one do not divide the clip into equal parts.
  package init?(changes: [Double]) {
    let count = changes.count
    guard let seam = changes.last, seam >= Self.least, Self.standsOut(count - 1, in: changes) else {
      return nil
    }
    let peaks = (0..<count - 1).filter { place in
      changes[place] >= Self.size * seam
        && changes[place] >= changes[(place + count - 1) % count]
        && changes[place] >= changes[place + 1] && Self.standsOut(place, in: changes)
    }
    guard peaks.count >= Self.fewest - 1, count >= Self.fewest * Self.shortest else { return nil }
    for beats in Self.fewest...count / Self.shortest {
      guard let rhythm = Self(beats: beats, peaks: peaks, changes: changes, seam: seam) else {
        continue
      }
      self = rhythm
      return
    }
    return nil
  }

  private init?(beats: Int, peaks: [Int], changes: [Double], seam: Double) {
    let length = Double(changes.count) / Double(beats)
    // Rhythms seldom last whole frames.
    let reach = min(2, max(1, length / 6))
    var hits: [(beat: Double, place: Int)] = []
    for beat in 1..<beats {
      let place = Double(beat) * length - 1
      let near = peaks.filter { abs(Double($0) - place) <= reach }
      if let peak = near.max(by: { changes[$0] < changes[$1] }) {
        hits.append((Double(beat), peak))
      }
    }
    guard hits.count >= Self.fewest - 1, Double(hits.count) >= Self.kept * Double(beats - 1) else {
      return nil
    }
    let sizes = hits.map { changes[$0.place] / seam }
    let usual = sizes.median ?? 0
    let elsewhere = peaks.count { place in
      changes[place] >= 0.5 * usual * seam && !hits.contains { $0.place == place }
    }
    guard Double(elsewhere) <= Self.stray * Double(hits.count) else { return nil }
    // The line through the changes inside predicts where those at both ends should be.
    let beat = hits.map(\.beat).mean ?? 0
    let place = hits.map { Double($0.place) }.mean ?? 0
    var (product, square) = (0.0, 0.0)
    for hit in hits {
      product += (hit.beat - beat) * (Double(hit.place) - place)
      square += (hit.beat - beat) * (hit.beat - beat)
    }
    let slope = product / max(square, 1e-9)
    func predicted(_ number: Int) -> Double { place + slope * (Double(number) - beat) }
    offset = max(
      abs(predicted(beats) - Double(changes.count - 1)), abs(predicted(0) + 1))
    (self.beats, found) = (beats, hits.count)
    (usualSize, largestSize) = (usual, sizes.max() ?? 0)
    let limits = found == beats - 1 && found > 2 ? Self.sizesOfAll : Self.sizes
    guard found > 2 || beats == 3 && usualSize >= Self.alike, offset <= 1.01,
      usualSize >= limits.usual, largestSize >= limits.largest, largestSize <= limits.most
    else { return nil }
  }

  /// Whether a change of which only the neighbours are known may be a beat.
  static func mayBeat(_ change: Double, as seam: Double, beside: Double) -> Bool {
    seam >= least && change >= size * seam && change >= prominence * beside
  }

  /// Whether a change is this multiple of those around it.
  static func standsOut(_ place: Int, in changes: [Double]) -> Bool {
    let around = [-5, -4, -3, -2, 2, 3, 4, 5].map {
      changes[(place + $0 + 5 * changes.count) % changes.count]
    }
    return changes[place] >= prominence * (around.median ?? 0)
  }
}

extension FrameCells {
  /// The root mean square change of cells, in code values.
  func meanChange(to other: FrameCells) -> Double {
    var sum: Float = 0
    for cell in luma.indices {
      let (y, b, r) = (
        other.luma[cell] - luma[cell], other.blue[cell] - blue[cell], other.red[cell] - red[cell]
      )
      sum += y * y + (b * b + r * r) / 2
    }
    return (Double(sum) / Double(luma.count)).squareRoot()
  }

  /// The change of the mean colour, in code values.
  func changeOfMean(to other: FrameCells) -> Double {
    let (y, b, r) = (
      other.luma.mean - luma.mean, other.blue.mean - blue.mean, other.red.mean - red.mean
    )
    return (y * y + (b * b + r * r) / 2).squareRoot()
  }
}
