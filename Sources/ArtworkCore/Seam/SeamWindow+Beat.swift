extension SeamWindow {
  /// The least likeness of beats of one rhythm: they fall between frames, so none captures exactly the same moment.
  private static let beatInTime = 0.5

  /// The largest share of the change at the seam that goes back within the first frames.
  package var back: Double {
    get throws(MissingFrames) {
      let (last, first) = (try clip.frame(clip.count - 1), try clip.frame(0))
      let change = zip(last.thumbnail.detail, first.thumbnail.detail).map { $1 - $0 }
      let size = change.reduce(0) { $0 + Double($1 * $1) } + 0.001
      var most = -Double.infinity
      for number in Set([2, 3, 4, window - 1].map { min($0, window - 1) }) {
        let later = try clip.frame(number).thumbnail.detail
        var along = 0.0
        for (index, value) in later.enumerated() {
          along += Double((value - first.thumbnail.detail[index]) * change[index])
        }
        most = max(most, -along / size)
      }
      return most
    }
  }

  /// The transition inside the clip that is most like the one at the seam, in 16x16 cells; `nil` for clips of few frames.
  package func beat(back: Double, _ limits: SeamThresholds) throws(MissingFrames) -> SeamMeasurement
    .Beat?
  {
    let inside = Array(window..<max(window, clip.count - window))
    let (last, first) = (try clip.trace(clip.count - 1).cells, try clip.trace(0).cells)
    let seam = last.change(to: first)
    let size = seam.squares
    var beat = SeamMeasurement.Beat(
      back: back, likeness: 0, difference: .infinity, shiftDifference: .infinity)
    var best: (before: FrameCells, after: FrameCells)?
    var beats: [(first: Int, likeness: Double)] = []
    for (before, after) in zip(inside, inside.dropFirst()) {
      let (one, other) = (try clip.trace(before).cells, try clip.trace(after).cells)
      let change = one.change(to: other)
      let alike = change.likeness(to: seam)
      beat.likeness = max(beat.likeness, alike)
      let difference =
        (one.change(to: last).squares + other.change(to: first).squares) / (size + 1e-6)
      if alike > Self.beatInTime {
        let near = beats.last.map { after - $0.first <= 3 } ?? false
        if near, let last = beats.popLast(), last.likeness > alike {
          beats.append(last)
        } else {
          beats.append((after, alike))
        }
      }
      if difference < beat.difference {
        beat.difference = difference
        best = (one, other)
      }
    }
    guard let best else { return nil }
    let (seamShift, ownShift) = (first.shift(from: last), best.after.shift(from: best.before))
    beat.shiftDifference =
      (zip(seamShift, ownShift).map { abs($0 - $1) }.max() ?? 0) / limits.shift
    beat.early = early(after: beats.map(\.first))
    return beat
  }

  /// How many frames less than usual lie between the last beat inside and the one at the seam.
  ///
  /// - Parameter beats: the first frames of the beats inside, in order.
  /// - Returns: `nil` if they come irregularly.
  private func early(after beats: [Int]) -> Int? {
    guard let last = beats.last else { return nil }
    let usual = zip([0] + beats, beats).map { $1 - $0 }
    guard let least = usual.min(), let most = usual.max() else { return nil }
    let early = most - (clip.count - last)
    // A rhythm does not last whole frames, and one with a single beat far from the middle is syncopated.
    return most - least <= 1 && abs(early) < most / 2 ? early : nil
  }
}

extension FrameCells {
  fileprivate func change(to other: FrameCells) -> [Float] {
    zip(luma, other.luma).map { $1 - $0 }
  }
}

extension [Float] {
  fileprivate var squares: Double { product(self) }

  /// The correlation with another change, -1 for one that takes it back; less if this one is smaller.
  func likeness(to other: [Float]) -> Double {
    let (own, others) = (squares, other.squares)
    return product(other) / (own * others + 1e-9).squareRoot()
      * Swift.min(1, (own / (others + 1e-9)).squareRoot())
  }

  fileprivate func product(_ other: [Float]) -> Double {
    zip(self, other).reduce(0) { $0 + Double($1.0 * $1.1) }
  }
}
