extension SeamWindow {
  /// A block moves by more than `least` code values, and stands still where it moves by less than one part in `times` of that,
  /// with `noise` code values on both sides. No block of 251 labelled loops moves so at the seam alone; some do in 118 of 229
  /// clips with a clear defect.
  private static let (least, times, noise): (Float, Float, Float) = (6, 2.5, 2)
  /// The transitions on each side of the seam that are compared with all farther away.
  private static let near = 3

  /// Compares each block of the picture with itself at other times; `nil` if none stands still but at the seam, or beside it.
  func stillPlaces(_ limits: SeamThresholds, hold: Int) throws(MissingFrames)
    -> SeamMeasurement.Places?
  {
    guard let places = try seenPlaces(), limits.jumps(places) else { return nil }
    // The measurement begins again once the frames are there, so that these are compared as well.
    if !clip.isWhole { try requireInside(hold: hold) }
    try clip.requireWhole()
    return places
  }

  /// The blocks of the frames that were seen, in one round; `nil` where their detail is not kept.
  private func seenPlaces() throws(MissingFrames) -> SeamMeasurement.Places? {
    let count = clip.round
    /// The two largest changes of each block, and where the largest is; and the largest far from the seam.
    var (most, second, far) = (Self.zeros, Self.zeros, Self.zeros)
    var place = [Int](repeating: 0, count: Flow.blockCount)
    var close: [Int: [Float]] = [:]
    for number in 0..<count {
      // The second half is that of the last round.
      let frame = number > count / 2 ? number + clip.count - count : number
      let before = frame > 0 ? frame - 1 : clip.count - 1
      guard clip.hasSeen([before, frame]) else { continue }
      let (one, other) = (try clip.trace(before), try clip.trace(frame))
      guard !one.detail.isEmpty, !other.detail.isEmpty else { return nil }
      let changes = one.blockChanges(to: other)
      let distance = number > count / 2 ? number - count : number
      if abs(distance) <= Self.near { close[distance] = changes }
      for block in changes.indices {
        let change = changes[block]
        if change > most[block] {
          (second[block], most[block], place[block]) = (most[block], change, number)
        } else if change > second[block] {
          second[block] = change
        }
        if abs(distance) > Self.near, change > far[block] { far[block] = change }
      }
    }
    var alone: [Int: Int] = [:]
    for block in most.indices where Self.stands(second[block], beside: most[block]) {
      alone[place[block], default: 0] += 1
    }
    let beside = close.mapValues { changes in
      zip(changes, far).count { Self.stands($1, beside: $0) }
    }
    let isLong = count > 8 * Self.near
    let largest = !isLong ? nil : beside.max { ($0.value, -abs($0.key), $0.key) < ($1.value, -abs($1.key), $1.key) }
    return SeamMeasurement.Places(
      atSeam: alone[0] ?? 0, inside: alone.filter { $0.key != 0 }.values.max() ?? 0,
      nearSeam: largest?.value ?? 0, distance: largest?.key ?? 0)
  }

  /// A block of a frame is odd if it differs from the mean of both frames beside it by more than `leastOdd` code values, and by
  /// so many times as much as at any other frame.
  private static let (leastOdd, timesOdd, oddNoise): (Float, Float, Float) = (1, 2, 0.5)

  /// The blocks of the first frame that are odd, as one is that the encoder gave too little; `nil` if they are few.
  func oddBlocks(hold: Int) throws(MissingFrames) -> Int? {
    guard hold == 1 else { return nil }
    let odd = try seenOddBlocks()
    guard odd >= SeamThresholds.oddBlocks else { return nil }
    if !clip.isWhole { try requireInside(hold: hold) }
    try clip.requireWhole()
    return odd
  }

  private func seenOddBlocks() throws(MissingFrames) -> Int {
    var most = Self.zeros
    // Those beside the first frame differ from it as well.
    for number in 2..<max(2, clip.round - 1) where clip.hasSeen(number - 1...number + 1) {
      let odd = try clip.trace(number).oddness(
        between: clip.trace(number - 1), clip.trace(number + 1))
      for block in odd.indices { most[block] = max(most[block], odd[block]) }
    }
    let first = try clip.trace(0).oddness(between: clip.trace(clip.count - 1), clip.trace(1))
    return zip(first, most).count {
      $0 > Self.leastOdd && $0 + Self.oddNoise > Self.timesOdd * ($1 + Self.oddNoise)
    }
  }

  private static let zeros = [Float](repeating: 0, count: Flow.blockCount)

  private static func stands(_ usual: Float, beside change: Float) -> Bool {
    change > least && change + noise > times * (usual + noise)
  }
}
