/// The packet sizes of a clip, which predict where its picture changes before anything is decoded. Keyframes are
/// ignored: they are large whatever changes.
package struct PacketSizes {
  /// Examined windows inside the clip.
  private static let windows = 2
  /// A frame smaller than this share of the large ones most likely repeats the one before.
  private static let quiet = 0.1
  /// The share of the usual size below which a packet at an end counts as repeated, too: between large frames, all
  /// others are small.
  private static let quietBetween = 0.5

  /// Size of each frame's packet in bytes; `nil` for keyframes.
  private let sizes: [Double?]
  private let keyFrames: [Int]
  /// Four of five frames take less.
  private let large: Double
  /// Half of the frames take less.
  private let usual: Double
  /// Frames that are shown before one that is decoded first; and what is large for these and for the others.
  private let between: Set<Int>
  private let largeOfKind: [Bool: Double]

  /// - Returns: `nil` if sizes are unknown.
  package init?(_ clock: ClipClock) {
    guard clock.sizes.count == clock.count else { return nil }
    keyFrames = clock.keyFrames
    let keys = Set(keyFrames)
    sizes = clock.sizes.enumerated().map { keys.contains($0) ? nil : Double($1) }
    let known = sizes.compactMap(\.self)
    large = known.quantile(0.8) ?? 0
    usual = known.median ?? 0
    var earliest = Int.max
    var between: Set<Int> = []
    for (number, place) in clock.places.enumerated().reversed() {
      if place > earliest { between.insert(number) }
      earliest = min(earliest, place)
    }
    self.between = between
    largeOfKind = Dictionary(grouping: sizes.indices, by: between.contains)
      .mapValues { [sizes] in $0.compactMap { sizes[$0] }.quantile(0.8) ?? 0 }
  }

  /// The frames inside `range` that most likely repeat the one before, each between its neighbours: three steps.
  package func quietWindows(in range: Range<Int>) -> [Range<Int>] {
    var windows: [Range<Int>] = []
    for frame in known(in: range).sorted(by: { $0.size < $1.size }) {
      guard frame.size < Self.quiet * large, windows.count < Self.windows else { break }
      let window = frame.number - 2..<frame.number + 2
      guard window.clamped(to: range) == window, !windows.contains(where: { $0.overlaps(window) })
      else { continue }
      windows.append(window)
    }
    return windows
  }

  /// An end rests if so many consecutive frames most likely repeat the one before. The motion beside a rest is
  /// measured over so many more frames.
  private static let (resting, besideRest) = (3, 2)

  /// The frames at each end, enough that `count` of them most likely change the picture, or a few more beside a rest,
  /// but at most half of the clip: animation on twos and rests need more frames.
  package func ends(changing count: Int) -> Set<Int> {
    let least = max(Self.quiet * large, Self.quietBetween * usual)
    func changes(_ number: Int) -> Bool { sizes[number].map { $0 >= least } ?? true }
    func end(_ numbers: some Sequence<Int>) -> [Int] {
      let first = numbers.lazy.filter { sizes[$0] != nil }.prefix(Self.resting)
      let rests = first.count(where: { !changes($0) }) == Self.resting
      var left = count + (rests ? Self.besideRest : 0)
      return numbers.prefix(sizes.count / 2).prefix { number in
        defer { if changes(number) { left -= 1 } }
        return left > 0
      }
    }
    return Set(end(sizes.indices)).union(end(sizes.indices.reversed()))
  }

  /// A sudden change is coded anew: on labelled clips, one that divides a clip into equal parts has a packet so many times
  /// as large as four of five others of its kind. So many of them are looked at one by one.
  private static let (sudden, mostSudden) = (2.5, 4)
  /// Windows of a sample, and the frames of each: one transition, with the motion on both sides of it.
  private static let (sampled, sampleFrames) = (4, 4)

  /// Windows that stand for the frames in `range`: where something sudden may happen, and after keyframes, where these are
  /// spread, since others take all frames from the keyframe on.
  ///
  /// - Returns: `nil` if something sudden may happen often, or if the range is hardly longer than its sample.
  package func sample(of range: Range<Int>) -> [Range<Int>]? {
    let known = known(in: range)
    guard range.count > 2 * Self.sampled * Self.sampleFrames, 2 * known.count > range.count else {
      return nil
    }
    let sudden = known.filter {
      $0.size >= Self.sudden * (largeOfKind[between.contains($0.number)] ?? large)
    }.map { $0.number - 2 }
    guard sudden.count <= Self.mostSudden else { return nil }
    let keys = keyFrames.filter(range.dropLast(Self.sampleFrames).contains)
    let spread = (0..<Self.sampled).map { number in
      let place = range.lowerBound + (2 * number + 1) * range.count / (2 * Self.sampled)
      return keys.count > 1
        ? keys.min { abs($0 - place) < abs($1 - place) } ?? place
        : place - Self.sampleFrames / 2
    }
    return Set(spread + sudden).sorted().map { $0..<$0 + Self.sampleFrames }
  }

  /// The frames in `range` whose size indicates how much changes.
  private func known(in range: Range<Int>) -> [(number: Int, size: Double)] {
    range.compactMap { number in sizes[number].map { (number, $0) } }
  }
}
