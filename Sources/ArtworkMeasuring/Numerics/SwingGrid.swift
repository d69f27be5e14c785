internal import CKernels

/// The movements of 16x16 cells between peaks and valleys in time.
struct SwingGrid {
  static let side = ARTWORK_LIGHT_SIDE
  static let cellCount = side * side

  /// Cells from a corner on.
  struct Area: Hashable {
    var left, top, width, height: Int

    var cellCount: Int { width * height }
  }

  /// Cells of an area that made a transition.
  struct Count {
    var up, down: Int
    /// Those whose last one is recent.
    var recentUp, recentDown: Int
  }

  private var swings: [artwork_swing]
  private let step: Float
  private let ceiling: Float

  /// - Parameters:
  ///   - values: of the first frame.
  ///   - step: a way that is as long counts.
  ///   - ceiling: if its darker end is below.
  init(values: some Sequence<Float>, step: Float, ceiling: Float) {
    swings = values.map {
      artwork_swing(low: $0, high: $0, direction: 0, is_counted: 0, transition: 0, when: 0)
    }
    precondition(swings.count == Self.cellCount, "one value for each cell")
    self.step = step
    self.ceiling = ceiling
  }

  /// Advances to the values of the next frame, from `start` on in `values`; returns how many cells make a transition.
  mutating func advance(_ values: [Float], from start: Int, time: Double) -> Int {
    precondition(start >= 0 && start + Self.cellCount <= values.count, "one value for each cell")
    return values.withUnsafeBufferPointer { values in
      Int(
        artwork_swing_step(
          &swings, values.baseAddress.map { $0 + start }, Int32(Self.cellCount), step, ceiling,
          time))
    }
  }

  /// Those at `time`, and those later than `since`.
  func count(in area: Area, at time: Double, since: Double) -> Count {
    let count = artwork_swing_area(
      swings, Int32(area.left), Int32(area.top), Int32(area.width), Int32(area.height), time, since)
    return Count(
      up: Int(count.up), down: Int(count.down), recentUp: Int(count.recent_up),
      recentDown: Int(count.recent_down))
  }
}
