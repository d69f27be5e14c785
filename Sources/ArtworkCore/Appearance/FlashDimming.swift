import Glibc

/// How much darker each part of each frame of a video becomes, so that it flashes less while it repeats.
///
/// A flash is a bright state that does not last. Each cell may therefore exceed the light that it holds for a third of
/// a second or longer (a morphological opening in time, around the loop) only by less than a transition takes. Cuts and
/// slow changes stay as they are, nothing becomes brighter, and the end leads to the start as before.
package struct FlashDimming: Sendable, Equatable, Codable {
  package struct Report: Sendable, Equatable, Codable {
    /// Flashes in the worst second, before and after.
    package var flashes: Double
    package var newFlashes: Double
    /// The share of its light that a frame loses, 0 to 1: the mean over the time of the video.
    package var lightLost: Double
    /// Frames that lose more than a tenth of their light.
    package var dimmedFrames: Int

    package init(flashes: Double, newFlashes: Double, lightLost: Double, dimmedFrames: Int) {
      (self.flashes, self.newFlashes) = (flashes, newFlashes)
      (self.lightLost, self.dimmedFrames) = (lightLost, dimmedFrames)
    }
  }

  package let report: Report
  /// Gains of linear light, 0 to 1, for each cell of each frame; empty if nothing is dimmed.
  private let gains: [Float]

  /// The share of its light that a frame may lose on average. Flashes fill half of a strobe, and what is left of that
  /// is another picture: only a person can decide. Lightning fills a tenth of a clip.
  package static let mostLost = 0.25
  /// The share of all light that may be lost: a clip that is dark but for its flashes would be nothing without them.
  package static let mostLightLost = 2.0 / 3

  /// Finds the weakest dimming that leaves at most `most` flashes in any second.
  ///
  /// - Throws: `not-copied` if there is none, or if it would take too much of the picture.
  package init(_ light: CellLight, atMost most: Int) throws(InspectionError) {
    let before = light.flashes()?.flashes ?? 0
    guard before > Double(most) else {
      report = Report(flashes: before, newFlashes: before, lightLost: 0, dimmedFrames: 0)
      gains = []
      return
    }
    // Encoding changes the light of a cell a little.
    let sensitivity: Float = 0.9
    let attempts = Attempt.all(light, light.framesFlashing(over: most, sensitivity))
      .sorted { $0.lost < $1.lost }
    for attempt in attempts {
      let gains = attempt.gains(light)
      let dimmed = light.dimmed(by: gains)
      let flashes = dimmed.flashes(sensitivity)?.flashes ?? 0
      guard flashes <= Double(most) else { continue }
      try Self.check(attempt.lost, 1 - dimmed.total / max(light.total, 1e-9))
      let losses = light.losses(dimmed)
      report = Report(
        flashes: before, newFlashes: flashes, lightLost: attempt.lost,
        dimmedFrames: losses.count { $0 > 0.1 })
      self.gains = gains
      return
    }
    throw InspectionError(.notCopied, "no dimming takes its flashes away: it needs a person")
  }

  private static func check(_ lost: Double, _ lightLost: Double) throws(InspectionError) {
    func refusal(_ what: String, _ share: Double, _ most: Double) -> InspectionError {
      let (share, most) = (decimal(100 * share, places: 0), decimal(100 * most, places: 0))
      return InspectionError(
        .notCopied,
        "without its flashes \(what) \(share) % of the light, and at most \(most) % may go: it needs a person"
      )
    }
    if lost > mostLost { throw refusal("its frames lose on average", lost, mostLost) }
    if lightLost > mostLightLost { throw refusal("it loses", lightLost, mostLightLost) }
  }

  /// Bytes of a frame in ``bytes``.
  package static let frameBytes = 4 * SwingGrid.cellCount

  /// The gains as plain bytes.
  package var bytes: [UInt8] {
    gains.flatMap { gain in
      (0..<4).map { UInt8(truncatingIfNeeded: gain.bitPattern >> (8 * $0)) }
    }
  }

  /// - Returns: `nil` for bytes that ``bytes`` does not make for so many frames.
  package init?(_ report: Report, bytes: [UInt8], frameCount: Int) {
    guard bytes.isEmpty || bytes.count == frameCount.multipliedClamped(by: Self.frameBytes) else {
      return nil
    }
    self.report = report
    gains = stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * $1) })
    }
    guard gains.allSatisfy({ (0...1).contains($0) }) else { return nil }
  }

  /// Factors for the code values of a frame in 16x16 cells, row by row; `nil` if it stays as it is.
  ///
  /// Light is about the 2.2th power of a signal, so that equal factors for all components keep its hue.
  package func factors(of frame: Int) -> [Float]? {
    let start = frame * SwingGrid.cellCount
    guard start < gains.count else { return nil }
    let cells = gains[start..<start + SwingGrid.cellCount]
    return cells.allSatisfy { $0 == 1 } ? nil : cells.map { powf($0, 1 / 2.2) }
  }
}

/// One choice of how long light must be held to stay, how much more is allowed, and when.
private struct Attempt {
  /// Luminance and redness that each cell holds.
  let held: (luminance: [Float], redness: [Float])
  /// The luminance that is allowed above ``held``.
  let rise: Float
  let frames: [Bool]
  /// See ``FlashDimming/Report/lightLost``.
  private(set) var lost = 0.0

  /// Three bright states in a second are three flashes.
  private static let holds = [0.35, 1, .infinity]
  private static let rises: [Float] = [0.08, 0.065, 0.05, 0.03]
  /// Redness for luminance, by the steps that count.
  private static let redness: Float = 200

  static func all(_ light: CellLight, _ flashing: [Bool]) -> [Attempt] {
    holds.flatMap { seconds in
      let held = (light.held(seconds, \.luminance), light.held(seconds, \.redness))
      return rises.flatMap { rise in
        [flashing, flashing.map { _ in true }].map { frames in
          var attempt = Attempt(held: held, rise: rise, frames: frames)
          attempt.lost = light.meanLoss(light.dimmed(by: attempt.gains(light)))
          return attempt
        }
      }
    }
  }

  private init(held: (luminance: [Float], redness: [Float]), rise: Float, frames: [Bool]) {
    (self.held, self.rise, self.frames) = (held, rise, frames)
  }

  func gains(_ light: CellLight) -> [Float] {
    let count = SwingGrid.cellCount
    var gains = [Float](repeating: 1, count: frames.count * count)
    func gain(_ value: Float, _ most: Float) -> Float { value > most ? most / value : 1 }
    for frame in frames.indices where frames[frame] {
      let cells = frame * count..<(frame + 1) * count
      for cell in cells {
        gains[cell] = min(
          gain(light.luminance[cell], held.luminance[cell] + rise),
          gain(light.redness[cell], held.redness[cell] + Self.redness * rise))
      }
      // A quarter of a quarter of the picture has to change: less is a small thing that moves.
      if 16 * cells.count(where: { gains[$0] < 0.97 }) < count {
        for cell in cells { gains[cell] = 1 }
      }
    }
    return gains
  }
}

/// The light of a video that repeats, in 16x16 cells of each frame.
package struct CellLight: Sendable {
  fileprivate private(set) var luminance: [Float]
  fileprivate private(set) var redness: [Float]
  let times: [Double]
  let duration: Double

  /// - Parameters:
  ///   - luminance: 256 for each frame, as ``LightCodes/light(of:)``; `redness` likewise.
  ///   - times: when each frame is shown, in seconds from the first, not decreasing.
  ///   - duration: of the loop in seconds.
  package init(
    luminance: [Float] = [], redness: [Float] = [], times: [Double], duration: Double
  ) {
    (self.luminance, self.redness) = (luminance, redness)
    (self.times, self.duration) = (times, duration)
  }

  /// What counts for flashes of a kind.
  func values(of kind: FlashCount.Kind) -> [Float] { kind == .red ? redness : luminance }

  /// Adds the next frame.
  package mutating func add(_ frame: Thumbnail, _ codes: LightCodes) {
    let light = codes.light(of: frame)
    luminance += light.luminance
    redness += light.redness
  }

  /// The worst second of all kinds; `nil` without a transition.
  fileprivate func flashes(_ sensitivity: Float = 1) -> FlashMeasurement.Second? {
    FlashMeasurement(self, sensitivity: sensitivity).worst
  }

  /// Whether each frame is in a second with more than `most` flashes.
  fileprivate func framesFlashing(over most: Int, _ sensitivity: Float) -> [Bool] {
    var frames = times.map { _ in false }
    for (kind, areas) in FlashCount.kinds {
      FlashCount.seconds(
        values(of: kind), times: times, duration: duration, kind: kind.times(sensitivity),
        areas: areas
      ) { second in
        guard second.flashes > Double(most) else { return }
        // What follows the last change of the second is bright, too.
        for frame in frames.indices where !frames[frame] {
          let way = (times[frame] - second.startSeconds).truncatingRemainder(dividingBy: duration)
          frames[frame] = (way < -1e-6 ? way + duration : way) <= 1.1
        }
      }
    }
    return frames
  }

  /// The largest value that a cell keeps for so long around each frame.
  fileprivate func held(_ seconds: Double, _ values: KeyPath<CellLight, [Float]>) -> [Float] {
    let (values, count, cells) = (self[keyPath: values], times.count, SwingGrid.cellCount)
    var held = [Float](repeating: -.infinity, count: values.count)
    var least = [Float](repeating: 0, count: cells)
    for start in 0..<count {
      // From each frame, as many as last so long; the whole loop at most.
      let end = start + framesShown(from: start, seconds)
      for cell in 0..<cells { least[cell] = values[start * cells + cell] }
      for frame in start..<end {
        let place = frame % count * cells
        for cell in 0..<cells { least[cell] = min(least[cell], values[place + cell]) }
      }
      for frame in start..<end {
        let place = frame % count * cells
        for cell in 0..<cells { held[place + cell] = max(held[place + cell], least[cell]) }
      }
      if end - start == count { break }
    }
    return held
  }

  private func framesShown(from start: Int, _ seconds: Double) -> Int {
    if seconds >= duration { return times.count }
    var frames = 1
    while frames < times.count {
      let next = start + frames
      let time =
        next < times.count ? times[next] : times[next - times.count] + duration
      if time - times[start] >= seconds { break }
      frames += 1
    }
    return frames
  }

  /// The light after dimming. Gains are interpolated between the middles of cells.
  fileprivate func dimmed(by gains: [Float]) -> CellLight {
    var light = self
    let side = SwingGrid.side
    var across = [Float](repeating: 1, count: SwingGrid.cellCount)
    for frame in times.indices {
      let start = frame * SwingGrid.cellCount
      for cell in across.indices {
        let (left, right) = (cell % side == 0 ? 0 : -1, cell % side == side - 1 ? 0 : 1)
        across[cell] =
          (gains[start + cell + left] + 6 * gains[start + cell] + gains[start + cell + right]) / 8
      }
      for cell in across.indices {
        let (above, below) = (cell < side ? 0 : -side, cell >= side * (side - 1) ? 0 : side)
        let gain = (across[cell + above] + 6 * across[cell] + across[cell + below]) / 8
        light.luminance[start + cell] *= gain
        light.redness[start + cell] *= gain
      }
    }
    return light
  }

  private func sum(_ frame: Int) -> Double {
    let start = frame * SwingGrid.cellCount
    return luminance[start..<start + SwingGrid.cellCount].reduce(0) { $0 + Double($1) }
  }

  private func seconds(_ frame: Int) -> Double {
    (frame + 1 < times.count ? times[frame + 1] : duration) - times[frame]
  }

  /// All of it, by time.
  fileprivate var total: Double { times.indices.reduce(0) { $0 + sum($1) * seconds($1) } }

  /// The share of its light that each frame loses.
  fileprivate func losses(_ dimmed: CellLight) -> [Double] {
    times.indices.map { (sum($0) - dimmed.sum($0)) / max(sum($0), 1e-9) }
  }

  /// The mean of these over time.
  fileprivate func meanLoss(_ dimmed: CellLight) -> Double {
    zip(losses(dimmed), times.indices).reduce(0) { $0 + $1.0 * seconds($1.1) } / max(duration, 1e-9)
  }
}
