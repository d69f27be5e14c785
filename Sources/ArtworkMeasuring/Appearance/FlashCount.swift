/// Counts flashes in a clip that repeats: a pure function of a number for each cell of each frame, and of time.
struct FlashCount {
  /// What counts as a transition.
  struct Kind: Equatable {
    /// The least change, and what the smaller value must be below.
    var step: Float
    var ceiling: Float

    /// 10 % of the maximum relative luminance, the darker state below 0.80 (WCAG 2.1, general flash). A little less,
    /// so that rounding does not hide a change of exactly 10 %.
    static let general = Kind(step: 0.0999, ceiling: 0.8)
    /// A change of more than 20 in 320 (R - G - B) (WCAG 2.1, red flash).
    static let red = Kind(step: 20, ceiling: .infinity)
    /// 20 cd/m², the darker state below 160 cd/m² (ITU-R BT.1702), where white is 203 cd/m² (ITU-R BT.2408).
    static let broadcast = Kind(step: 20 / 203, ceiling: 160 / 203)
  }

  /// A second is meant to be shorter by what containers round times by.
  private static let second = 1 - 0.0015
  /// Changes that belong together: those of one frame, of two at 60 frames a second. More would take what moves past
  /// for a flash.
  private static let together = 0.02
  /// Nothing is displayed a thousand times a second: such times are wrong, and counting would take long.
  private static let shortestFrame = 0.001

  /// The whole picture, a quarter of which counts where it fills a screen (ITU-R BT.1702).
  static let screen = [
    SwingGrid.Area(left: 0, top: 0, width: SwingGrid.side, height: SwingGrid.side)
  ]
  /// The whole, for flashes that wander, and parts of the picture, half as wide and half as high, an eighth of it apart.
  static let areas: [SwingGrid.Area] = {
    let side = SwingGrid.side
    let starts = stride(from: 0, through: side / 2, by: side / 8)
    return starts.reduce(into: screen) { areas, top in
      areas += starts.map { left in
        SwingGrid.Area(left: left, top: top, width: side / 2, height: side / 2)
      }
    }
  }()

  /// The second with the most flashes; among equal ones the largest.
  ///
  /// - Parameters:
  ///   - values: 256 for each frame.
  ///   - times: when each frame is shown, in seconds from the first, not decreasing.
  ///   - duration: of the loop in seconds; `nil` for frames that are shown once.
  ///   - areas: parts of the picture, a quarter of which has to change.
  /// - Returns: `nil` without a transition.
  static func worstSecond(
    _ values: [Float], times: [Double], duration: Double?, kind: Kind,
    areas: [SwingGrid.Area] = areas
  ) -> FlashMeasurement.Second? {
    var worst: FlashMeasurement.Second?
    let frames = times.count
    guard frames > 1, values.count == frames * SwingGrid.cellCount,
      duration ?? .infinity >= shortestFrame * Double(frames)
    else { return nil }
    var swings = SwingGrid(
      values: values.prefix(SwingGrid.cellCount), step: kind.step, ceiling: kind.ceiling)
    var chains = areas.map(Chain.init)
    var start = 0.0
    // Every second that begins in the second showing is seen to its end. The first showing follows nothing, and only
    // sets up the second.
    while start <= 2 * (duration ?? 0) + 1 {
      for frame in 0..<frames {
        let time = start + times[frame]
        guard swings.advance(values, from: frame * SwingGrid.cellCount, time: time) > 0 else {
          continue
        }
        for index in chains.indices {
          guard let second = chains[index].add(swings, time: time),
            second.startSeconds >= duration ?? -.infinity
          else { continue }
          if let worst, (second.flashes, second.share) <= (worst.flashes, worst.share) { continue }
          worst = second
        }
      }
      guard let duration else { return worst }
      start += duration
    }
    worst?.startSeconds.formTruncatingRemainder(dividingBy: duration ?? .infinity)
    return worst
  }

  /// The largest share of an area in which cells change alike from one frame to the next.
  static func largestChange(from old: [Float], to new: [Float], kind: Kind) -> Double {
    var swings = SwingGrid(values: old, step: kind.step, ceiling: kind.ceiling)
    guard swings.advance(new, from: 0, time: 1) > 0 else { return 0 }
    return areas.dropFirst().map { area in
      let count = swings.count(in: area, at: 1, since: 0)
      return Double(max(count.up, count.down)) / Double(area.cellCount)
    }.max() ?? 0
  }

  /// The transitions of one area, which alternate in direction.
  private struct Chain {
    let area: SwingGrid.Area
    private var isUp: Bool?
    private var lastTime = -Double.infinity
    /// Changes within the last second.
    private var recent: [(time: Double, cells: Int)] = []

    init(area: SwingGrid.Area) { self.area = area }

    /// The second that ends with a transition at `time`; `nil` without one.
    mutating func add(_ swings: SwingGrid, time: Double) -> FlashMeasurement.Second? {
      let count = swings.count(
        in: area, at: time, since: max(lastTime, time - FlashCount.together))
      func isLarge(_ now: Int, _ recent: Int, _ opposite: Int) -> Bool {
        // Changes of two frames are one only where hardly anything goes the other way: motion has both.
        let together = recent >= 2 * opposite ? recent : now
        return 4 * max(now, together) > area.cellCount
      }
      let goesUp = isLarge(count.up, count.recentUp, count.recentDown) && isUp != true
      let goesDown = isLarge(count.down, count.recentDown, count.recentUp) && isUp != false
      guard goesUp || goesDown else { return nil }
      // Where parts change places, the direction that opposes the last one counts.
      let up = goesUp && (!goesDown || count.up >= count.down)
      isUp = up
      lastTime = time
      recent.removeAll { time - $0.time >= FlashCount.second }
      recent.append((time, up ? count.recentUp : count.recentDown))
      let cells = Double(recent.reduce(0) { $0 + $1.cells }) / Double(recent.count)
      return FlashMeasurement.Second(
        flashes: Double(recent.count) / 2, startSeconds: recent[0].time,
        share: cells / Double(SwingGrid.cellCount))
    }
  }
}
