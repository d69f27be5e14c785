extension SeamWindow {
  /// Whether the blocks that surprise most at the seam change as much inside: every transition at least this many steps
  /// from the seam is compared with it, at the same blocks.
  private static let away = 2
  /// The worst quarter of the blocks, and a part as small as ``FrameChange/busyBlocks``.
  private static let (quarter, few) = (64, 8)
  /// Squared errors below this do not count: four code values.
  private static let floor = 16.0
  /// The plain change of a transition that is as sudden as the seam is at least this share of the error at the seam: motion
  /// explains the rest.
  private static let least = 0.3

  /// Takes about 0.4 ms for each transition whose plain change is large enough at those blocks.
  ///
  /// - Returns: `nil` for clips of few drawings, and of more than ``SeamClip/mostDetailed`` frames.
  func recurrence() throws(MissingFrames) -> SeamMeasurement.Recurrence? {
    let drawings = try self.drawings
    // A part of a long clip may lie beyond.
    for number in drawings where clip.hasSeen([number]) {
      if try clip.trace(number).detail.isEmpty { return nil }
    }
    let transitions = Transitions(clip: clip, drawings: drawings)
    guard drawings.count > 2 * Self.away + 2 else { return nil }
    let (forwards, backwards) = try transitions.errors(at: 0)
    let both = zip(forwards, backwards).map { ($0 * $1).squareRoot() }
    let order = both.indices.sorted { both[$0] > both[$1] }
    /// The largest surprise inside as a multiple of the one at the seam, and the likeness of the change most like it.
    func compare(_ count: Int) throws(MissingFrames) -> (size: Double, likeness: Double) {
      let blocks = Array(order.prefix(count))
      func mean(_ errors: [Float]) -> Double {
        blocks.reduce(0) { $0 + Double(errors[$1]) } / Double(count)
      }
      let seam = (mean(forwards) * mean(backwards)).squareRoot() + Self.floor
      let change = try transitions.cells(at: 0, in: blocks)
      var (size, likeness) = (0.0, 0.0)
      for index in Self.away...drawings.count - Self.away where transitions.hasSeen(index) {
        likeness = max(
          likeness, abs(try transitions.cells(at: index, in: blocks).likeness(to: change)))
        guard try transitions.change(at: index, in: blocks) + Self.floor > Self.least * seam else {
          continue
        }
        let errors = try transitions.errors(at: index)
        let own = (mean(errors.forwards) * mean(errors.backwards)).squareRoot() + Self.floor
        size = max(size, (own / seam).squareRoot())
      }
      return (size, likeness)
    }
    let (wide, small) = (try compare(Self.quarter), try compare(Self.few))
    return SeamMeasurement.Recurrence(
      size: wide.size, smallSize: small.size, likeness: max(wide.likeness, small.likeness),
      spread: both.spread)
  }

  /// The frames that differ from the one before, if every third or more does not; else all.
  private var drawings: [Int] {
    get throws(MissingFrames) {
      guard clip.isWhole else { return Array(0..<clip.count) }
      let steps = (1..<clip.round).map { clip.measuredStep(to: $0) ?? 0 }
      let still = Self.stillStep(steps)
      let drawn = [0] + (1..<clip.round).filter { steps[$0 - 1] >= still }
      return 10 * drawn.count <= 7 * clip.round ? drawn : Array(0..<clip.round)
    }
  }

  /// The transitions of a clip, by the later of their two drawings: 0 leads over the seam.
  private final class Transitions {
    private let clip: SeamClip
    private let drawings: [Int]
    private var pictures: [Int: FlowPicture] = [:]
    private var known: [Int: (forwards: [Float], backwards: [Float])] = [:]

    init(clip: SeamClip, drawings: [Int]) {
      self.clip = clip
      self.drawings = drawings
    }

    private func wrapped(_ index: Int) -> Int { (index + drawings.count) % drawings.count }

    /// Whether the motion on both sides of a transition was seen.
    func hasSeen(_ index: Int) -> Bool {
      clip.hasSeen((index - 2...index + 1).map { self.drawings[self.wrapped($0)] })
    }

    private func trace(_ index: Int) throws(MissingFrames) -> SeamTrace {
      try clip.trace(drawings[wrapped(index)])
    }

    private func picture(_ index: Int) throws(MissingFrames) -> FlowPicture {
      let index = wrapped(index)
      if let known = pictures[index] { return known }
      // 150 KB each: a few are needed again soon.
      if pictures.count > 64 { pictures = [:] }
      let picture = FlowPicture(detail: try trace(index).detail.map(Float.init))
      pictures[index] = picture
      return picture
    }

    /// How badly the motion before predicts the later drawing, and the motion after the earlier one.
    func errors(
      at index: Int
    ) throws(MissingFrames) -> (forwards: [Float], backwards: [Float]) {
      let index = wrapped(index)
      if let known = known[index] { return known }
      let (before, one) = (try picture(index - 2), try picture(index - 1))
      let (other, after) = (try picture(index), try picture(index + 1))
      let errors = (
        forwards: Flow(of: one, from: before).errors(predicting: other, from: one),
        backwards: Flow(of: other, from: after).errors(predicting: one, from: other)
      )
      known[index] = errors
      return errors
    }

    /// The mean squared difference of luma in some blocks.
    func change(at index: Int, in blocks: [Int]) throws(MissingFrames) -> Double {
      let changes = try trace(index - 1).changes(to: try trace(index), in: blocks)
      return changes.reduce(0) { $0 + Double($1) } / Double(blocks.count)
    }

    /// The signed change of luma in some blocks.
    func cells(at index: Int, in blocks: [Int]) throws(MissingFrames) -> [Float] {
      let (one, other) = (try trace(index - 1).cells.luma, try trace(index).cells.luma)
      return blocks.map { other[$0] - one[$0] }
    }
  }
}

extension [Float] {
  private var squares: Double { product(self) }

  /// The correlation with another change, -1 for one that takes it back; less if this one is smaller.
  fileprivate func likeness(to other: [Float]) -> Double {
    let (own, others) = (squares, other.squares)
    return product(other) / (own * others + 1e-9).squareRoot()
      * Swift.min(1, (own / (others + 1e-9)).squareRoot())
  }

  private func product(_ other: [Float]) -> Double {
    zip(self, other).reduce(0) { $0 + Double($1.0 * $1.1) }
  }
}
