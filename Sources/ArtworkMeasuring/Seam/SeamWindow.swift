import Glibc

extension SeamMeasurement {
  /// Frames compared at each end. Fewer are too few to learn the clip's own motion, more are hardly more accurate: the
  /// curve comes from Scripts/accuracy/seams/vary-frame-count.
  package static let ends = 8
  /// Steps and frames that are listed one by one at each end.
  private static let listed = 24

  /// Measures the seam of a clip; `nil` for fewer than two frames. Takes about 10 ms for eight frames at each end.
  ///
  /// - Parameter limits: decide which questions are worth more frames.
  /// - Throws: ``MissingFrames`` if it needs to see more of the clip.
  package init?(_ clip: SeamClip, ends: Int = Self.ends, limits: SeamThresholds = .standard)
    throws(MissingFrames)
  {
    guard clip.count > 1 else { return nil }
    let window = { (frames: Int) in max(1, min(frames, SeamClip.kept, clip.count / 2)) }
    var seam = try SeamWindow(clip, window: window(ends))
    // Animation on twos needs twice as many frames for the same number of pictures.
    let hold = DistinctFrames(seam).hold
    if hold > 1 {
      seam = try SeamWindow(clip, window: clip.window(from: window(ends), to: window(ends * hold)))
    }
    self = try seam.measurement(limits)
    // Films made between two given pictures end with the first one again, and jump before it.
    guard hold == 1, repeats.stepRatio < Self.again, !limits.isStatic(motion),
      clip.leftOut < Self.mostAgain, clip.count > 2 * ends
    else { return }
    let earlier = try clip.withoutLast { clip throws(MissingFrames) in
      try SeamMeasurement(clip, ends: ends, limits: limits)
    }
    guard let earlier, limits.isClearBreak(earlier) else { return }
    self = earlier
    beforeEnd = (earlier.beforeEnd ?? 0) + 1
  }

  /// The last frame is the first one again if the step between them is so small beside those next to it; so often.
  private static let (again, mostAgain) = (0.25, 3)
}

/// Some frames at each end of a clip.
struct SeamWindow {
  let clip: SeamClip
  /// Frames at each end.
  let window: Int
  /// The numbers of the frames at each end.
  let head: [Int]
  let tail: [Int]
  /// Busy steps among them.
  let headSteps: [Double]
  let tailSteps: [Double]
  let seamStep: Double

  init(_ clip: SeamClip, window: Int) throws(MissingFrames) {
    self.clip = clip
    self.window = window
    head = Array(0..<window)
    tail = Array(clip.count - window..<clip.count)
    try clip.require(head + tail)
    headSteps = try Self.steps(clip, head)
    tailSteps = try Self.steps(clip, tail)
    seamStep = try clip.step(clip.count - 1, 0)
  }

  private static func steps(_ clip: SeamClip, _ numbers: [Int]) throws(MissingFrames) -> [Double] {
    var steps: [Double] = []
    for number in numbers.dropFirst() { steps.append(try clip.step(number - 1, number)) }
    return steps
  }

  var near: [Double] { tailSteps + headSteps }
  private var last: Int { clip.count - 1 }

  /// A step below this repeats a frame: an eighth of the usual steps, or the coding noise of a repeated frame.
  static func stillStep(_ steps: [Double]) -> Double {
    max(0.03, 0.12 * (steps.quantile(0.8) ?? 0))
  }

  func measurement(_ limits: SeamThresholds) throws(MissingFrames) -> SeamMeasurement {
    let still = Self.stillStep(near)
    let live = near.filter { $0 > still }.median ?? 0
    let largest = max(near.max() ?? 0, seamStep)
    let pair = DistinctFrames(self)
    let prediction = try SeamMeasurement.Prediction(pair, limits)
    // Light that beats in equal times is each round's own, and so is what stands still between.
    if clip.round < clip.count, !(prediction.map(limits.mayJump) ?? false),
      try rhythm(in: clip.count) != nil
    {
      clip.ignoreRounds()
    }
    let (levels, timeline) = (try self.levels(limits, hold: pair.hold), try self.timeline)
    let content = try SeamMeasurement.Content(pair, limits)
    let (steps, own, seam) = try meanSteps
    let anywhere = (near.median ?? 0) < limits.still ? try self.anywhere : nil
    var measured = SeamMeasurement(
      scope: clip.isWhole ? .everyFrame : .ends, window: window, hold: pair.hold, seamStep: seam,
      ownStep: own, interval: (clip.interval * 1000).rounded() / 1000, headSteps: steps.head,
      tailSteps: steps.tail,
      headContrast: try head.map { number throws(MissingFrames) in try clip.trace(number).contrast
      },
      tailContrast: try tail.map { number throws(MissingFrames) in try clip.trace(number).contrast
      },
      headLuma: try head.map { number throws(MissingFrames) in try clip.trace(number).luma },
      tailLuma: try tail.map { number throws(MissingFrames) in try clip.trace(number).luma },
      motion: SeamMeasurement.Motion(
        seam: seamStep, usual: near.median ?? 0, live: live, largest: largest,
        inside: anywhere?.fromFirst, anywhere: anywhere?.step),
      prediction: prediction, content: content, levels: levels, dimness: try dimness(limits),
      dip: try dip(),
      rests: [], repeats: try repeats(pair, still: still, live: live, limits),
      sharpness: try sharpness, timeline: timeline)
    if !limits.isStatic(measured.motion) { measured.rests = try rests(live: live, limits) }
    if clip.round < clip.count, !limits.isStatic(measured.motion) {
      measured.rounds = clip.count / clip.round
    }
    guard limits.wantsWhole(measured) else {
      try comparePlaces(&measured, limits)
      return measured
    }
    try requireInside(hold: pair.hold)
    if limits.fades(measured) {
      try clip.requireWhole()
      if try dimsInside(below: limits.fade) { measured.dimness = nil }
    }
    if limits.blankEnd(of: measured) != nil { measured.blanks = try blanks(below: limits.fade) }
    let breaks = limits.jumps(measured) || limits.cuts(measured)
    if breaks {
      measured.recurrence = try recurrence()
      if let recurrence = measured.recurrence, limits.mayRecur(recurrence) {
        try clip.requireWhole()
      }
    }
    if !clip.isWhole, try mayBeat() { try clip.requireWhole() }
    // Where the picture breaks and nothing excuses it, its places decide nothing.
    if !breaks || clip.isWhole { try comparePlaces(&measured, limits) }
    guard clip.isWhole else { return measured }
    measured.rhythm = try rhythm(in: clip.round)
    measured.scope = .everyFrame
    return measured
  }

  private func comparePlaces(
    _ measured: inout SeamMeasurement, _ limits: SeamThresholds
  ) throws(MissingFrames) {
    guard measured.prediction != nil, !limits.isStatic(measured.motion) else { return }
    measured.places = try stillPlaces(limits, hold: measured.hold)
    measured.oddBlocks = try oddBlocks(hold: measured.hold)
  }

  /// - Throws: ``MissingFrames`` until the inside is known, from a sample where that stands for it: in animation on twos it
  ///   has no motion.
  func requireInside(hold: Int) throws(MissingFrames) {
    hold > 1 ? try clip.requireWhole() : try clip.requireInside(beyond: window)
  }
}

// MARK: - Levels, contrast, sharpness

extension SeamWindow {
  /// The most frames at an end that may be odd: the steps among them are no evidence of what is usual.
  private static let mostOdd = 3
  /// The least contrast that says something about light, in code values: flat pictures, and small objects on an even
  /// ground, have less.
  private static let leastContrast = 10.0

  private func levels(
    _ limits: SeamThresholds, hold: Int
  ) throws(MissingFrames) -> SeamMeasurement.Levels {
    func shift(_ one: Int, _ other: Int) throws(MissingFrames) -> [Double] {
      let (before, after) = (try clip.trace(one), try clip.trace(other))
      let hasContrast = min(before.contrast, after.contrast) > Self.leastContrast
      let contrast = hasContrast ? log(after.contrast / before.contrast) : 0
      return after.cells.shift(from: before.cells) + [contrast]
    }
    let seam = try shift(last, 0)
    func largest(_ numbers: some Sequence<Int>) throws(MissingFrames) -> [Double] {
      var largest = [0.0, 0, 0, 0]
      for number in numbers {
        largest = zip(largest, try shift(number - 1, number)).map { max($0, abs($1)) }
      }
      return largest
    }
    let usual = try largest(head.dropFirst() + tail.dropFirst())
    var inside = [0.0, 0, 0, 0]
    func levels(_ shift: [Double], usual: [Double]) -> SeamMeasurement.Levels {
      func level(_ plane: Int) -> SeamMeasurement.Levels.Level {
        SeamMeasurement.Levels.Level(
          shift: shift[plane], usualShift: usual[plane], largestInside: inside[plane])
      }
      return SeamMeasurement.Levels(
        luma: level(0), blue: level(1), red: level(2), contrast: level(3))
    }
    // A fault beside the seam is no excuse for itself.
    let beyond =
      window > 2 * Self.mostOdd
      ? try largest(
        head.dropFirst(1 + Self.mostOdd) + tail.dropFirst().dropLast(Self.mostOdd)) : usual
    guard limits.shifts(levels(seam, usual: beyond)) else { return levels(seam, usual: usual) }
    try requireInside(hold: hold)
    /// Whether frames differ from those on both sides of them, which are alike.
    func isOdd(_ first: Int, _ count: Int) throws(MissingFrames) -> Bool {
      let (before, after) = ((first + last) % clip.count, (first + count) % clip.count)
      let (entry, exit) = (try shift(before, first), try shift((after + last) % clip.count, after))
      let joined = try shift(before, after)
      return limits.shiftsClearly(levels(entry, usual: beyond))
        && limits.shiftsClearly(levels(exit, usual: beyond))
        && zip(entry, exit).reduce(0) { $0 + $1.0 * $1.1 } < 0
        && !limits.shifts(levels(joined, usual: beyond))
    }
    for count in 1...Self.mostOdd where 2 * count < window {
      for (odd, first) in [(count, clip.count - count), (-count, 0)] where try isOdd(first, count) {
        try clip.requireWhole()
        var measured = levels(seam, usual: beyond)
        measured.oddFrames = odd
        // Light that flashes for as long inside is the clip's own.
        let inside = Self.mostOdd + 1..<max(Self.mostOdd + 1, clip.round - 2 * Self.mostOdd)
        for number in inside where try isOdd(number, count) { measured.oddFrames = 0 }
        if measured.oddFrames != 0 { return measured }
      }
    }
    if clip.isWhole {
      inside = try recurring(seam, shift)
    } else {
      let seen = (window..<clip.count - window).filter { clip.hasSeen([$0 - 1, $0]) }
      if limits.mayRecur(seam, try largest(seen)) { try clip.requireWhole() }
    }
    return levels(seam, usual: usual)
  }

  /// The shift of each plane that recurs inside a clip: the second largest sudden one.
  private func recurring(
    _ seam: [Double], _ shift: (Int, Int) throws(MissingFrames) -> [Double]
  ) throws(MissingFrames) -> [Double] {
    var changes: [[Double]] = [[], [], [], []]
    for number in 0..<clip.round {
      let change = try shift(number, (number + 1) % clip.round)
      for plane in change.indices { changes[plane].append(change[plane]) }
    }
    let inside = Self.mostOdd..<max(Self.mostOdd, clip.round - 1 - Self.mostOdd)
    return changes.indices.map { plane in
      let sizes = changes[plane].map(abs)
      // Motion shifts all the time, light at once.
      let sudden = inside.filter { SeamMeasurement.Rhythm.standsOut($0, in: sizes) }
      let largest = sudden.map { sizes[$0] }.sorted().dropLast().last ?? 0
      // A lamp in the picture that is switched off inside and on at the seam changes its contrast, an exposure all light.
      guard plane == 3 else { return largest }
      return max(
        largest, sudden.filter { changes[plane][$0] * seam[plane] < 0 }.map { sizes[$0] }.max() ?? 0
      )
    }
  }

  /// Frames inside the clip that stand for it.
  package var places: [Int] { [1, 3, 5, 7, 9].map { $0 * last / 10 } }

  /// The largest change from the first frame to any other, in the busiest cells, and the largest from any frame to the next.
  private var anywhere: (fromFirst: Double, step: Double) {
    get throws(MissingFrames) {
      try clip.requireWhole()
      let first = try clip.trace(0).cells
      var largest = (fromFirst: 0.0, step: 0.0)
      for number in 1..<clip.count {
        let change = FrameChange.busy(first, try clip.trace(number).cells)
        largest.fromFirst = max(largest.fromFirst, change)
        largest.step = max(largest.step, clip.measuredStep(to: number) ?? 0)
      }
      return largest
    }
  }

  /// The traces near some frames. A nearby keyframe can replace a frame: it requires no others.
  func traces(near numbers: [Int]) throws(MissingFrames) -> [SeamTrace] {
    let keys = clip.clock?.keyFrames ?? []
    var traces: [SeamTrace] = []
    var missing: Set<Int> = []
    for number in numbers {
      let key = keys.min { abs($0 - number) < abs($1 - number) } ?? number
      let place = abs(key - number) <= clip.count / 10 ? key : number
      if let trace = clip.nearestTrace(to: place, within: clip.count / 20) {
        traces.append(trace)
      } else {
        missing.insert(place)
      }
    }
    if !missing.isEmpty { throw MissingFrames(numbers: missing, needsPictures: false) }
    return traces
  }

  private var sharpness: SeamMeasurement.Sharpness {
    get throws(MissingFrames) {
      // A less sharp picture is flat: rounding leaves a quarter of a code value.
      func rise(_ one: Int, _ other: Int) throws(MissingFrames) -> Double {
        log((try clip.trace(other).sharpness + 0.25) / (try clip.trace(one).sharpness + 0.25))
      }
      // The first frame is a keyframe, sharper than those after it.
      var rises: [Double] = []
      for number in head.dropFirst(2) + tail.dropFirst() {
        rises.append(abs(try rise(number - 1, number)))
      }
      // Detail that only the keyframe has is noise.
      let (first, second) = (try rise(last, 0), try rise(last, head.count > 1 ? 1 : 0))
      return SeamMeasurement.Sharpness(
        rise: abs(first) < abs(second) ? first : second, usualRise: rises.quantile(0.9) ?? 0)
    }
  }

  private var meanSteps: (steps: (head: [Double], tail: [Double]), own: Double, seam: Double) {
    get throws(MissingFrames) {
      func blocks(_ numbers: [Int]) throws(MissingFrames) -> [[Float]] {
        var steps: [[Float]] = []
        for number in numbers.dropFirst() {
          if let known = try clip.trace(number).blockSteps {
            steps.append(known)
          } else {
            steps.append(
              FrameStep.blockSteps(
                try clip.frame(number - 1).thumbnail, try clip.frame(number).thumbnail))
          }
        }
        return steps
      }
      let (headBlocks, tailBlocks) = (try blocks(head), try blocks(tail))
      let region = PictureRegion(movingIn: headBlocks + tailBlocks)
      let (headMeans, tailMeans) = (headBlocks.map(region.mean), tailBlocks.map(region.mean))
      let all = headMeans + tailMeans
      let moving = all.filter { $0 >= max(0.12, 0.2 * (all.quantile(0.7) ?? 0)) }
      let seam = FrameStep.blockSteps(
        try clip.frame(last).thumbnail, try clip.frame(0).thumbnail)
      return ((headMeans, tailMeans), moving.median ?? 0, region.mean(seam))
    }
  }

  private var timeline: SeamMeasurement.Timeline? {
    get throws(MissingFrames) {
      func table(_ one: [Int], _ other: [Int]) throws(MissingFrames) -> [[Double]] {
        var rows: [[Double]] = []
        for a in one {
          var row: [Double] = []
          for b in other {
            row.append(
              PictureRegion.all.mean(
                FrameStep.blockSteps(try clip.frame(a).thumbnail, try clip.frame(b).thumbnail)))
          }
          rows.append(row)
        }
        return rows
      }
      let depth = SeamMeasurement.Timeline.depth
      let (starts, ends) = (Array(head.prefix(depth)), Array(tail.suffix(depth).reversed()))
      return SeamMeasurement.Timeline(
        head: try table(starts, starts), tail: try table(ends, ends),
        across: try table(ends, starts))
    }
  }
}
