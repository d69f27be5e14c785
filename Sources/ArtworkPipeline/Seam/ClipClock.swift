import ArtworkModel

/// When the frames of a clip are shown.
struct ClipClock {
  /// Presentation timestamps of all displayed frames in order, and the duration of the last one, zero where unknown;
  /// in units of `timeBase` seconds.
  var timestamps: [Int64]
  var lastDuration: Int64
  var timeBase: Rational
  /// The usual step between frames in the same unit.
  var medianStep: Int64
  /// Numbers of frames that can be read without those before them, ascending.
  var keyFrames: [Int] = []
  /// How much data each frame takes in bytes, which tells where the picture changes most; empty where unknown.
  var sizes: [Int] = []

  /// Displayed frames.
  var count: Int { timestamps.count }
  /// The usual time between two frames in seconds.
  var interval: Double { Double(medianStep) * timeBase.value }
}

extension ClipClock {
  /// Frames before a large one that are looked at, too: of a group that is coded out of order, the last one carries what
  /// changed in those before. x264 and x265 code up to four frames so unless told otherwise.
  private static let (before, windows) = (4, 2)
  /// A frame that takes less than this share of what large ones take most likely repeats the one before, and one that takes
  /// more than this multiple changes much.
  private static let (quiet, busy) = (0.1, 2.0)

  /// Whether the data that frames take tells where the picture changes: not if all are key frames.
  func tellsChanges(in range: Range<Int>) -> Bool { !changes(in: range).isEmpty }

  /// The frames around the largest changes inside `range`, by the data that they take, where these stand out. Key frames
  /// are large whatever changes.
  func busyWindows(in range: Range<Int>) -> [Range<Int>] {
    let least = Self.busy * largeSize
    return changes(in: range).sorted { sizes[$0] > sizes[$1] }.prefix(Self.windows)
      .filter { Double(sizes[$0]) > least }
      .map { ($0 - Self.before..<$0 + 1).clamped(to: range) }
  }

  /// The frames inside `range` that most likely repeat the one before, by the data that they take, each between its
  /// neighbours: three steps.
  func quietWindows(in range: Range<Int>) -> [Range<Int>] {
    let most = Self.quiet * largeSize
    var windows: [Range<Int>] = []
    for frame in changes(in: range).sorted(by: { sizes[$0] < sizes[$1] }) {
      guard Double(sizes[frame]) < most, windows.count < Self.windows else { break }
      let window = frame - 2..<frame + 2
      guard window.clamped(to: range) == window, !windows.contains(where: { $0.overlaps(window) })
      else { continue }
      windows.append(window)
    }
    return windows
  }

  /// An end rests if so many frames in a row most likely repeat the one before. What moves beside a rest is measured over so
  /// many more frames.
  private static let (resting, besideRest) = (3, 2)

  /// The frames at each end, so many that `count` of them most likely change the picture, or a few more beside a rest, but at
  /// most `most`: in animation on twos and beside a rest that takes more frames.
  func ends(changing count: Int, most: Int) -> Set<Int> {
    let keys = Set(keyFrames)
    let least = Self.quiet * largeSize
    func changes(_ number: Int) -> Bool { keys.contains(number) || Double(sizes[number]) >= least }
    func end(_ numbers: some Sequence<Int>) -> [Int] {
      let first = numbers.lazy.filter { !keys.contains($0) }.prefix(Self.resting)
      let rests = first.count(where: { !changes($0) }) == Self.resting
      var left = count + (rests ? Self.besideRest : 0)
      return numbers.prefix(most).prefix { number in
        defer { if changes(number) { left -= 1 } }
        return left > 0
      }
    }
    return Set(end(sizes.indices)).union(end(sizes.indices.reversed()))
  }

  /// How many frames of the longest rest inside `range` most likely repeat the one before; `nil` where the data that frames
  /// take does not even show that those in `known` do.
  func longestRest(in range: Range<Int>, like known: Range<Int>) -> Int? {
    let (keys, most) = (Set(keyFrames), Self.quiet * largeSize)
    guard sizes.count == count, known.allSatisfy({ Double(sizes[$0]) < most }) else { return nil }
    return range.map { keys.contains($0) ? nil : Double(sizes[$0]) < most }.longestRun
  }

  /// What large frames take that are no key frames: four of five take less.
  private var largeSize: Double {
    changes(in: sizes.indices).map { Double(sizes[$0]) }.quantile(0.8) ?? 0
  }

  /// The frames in `range` whose size tells how much changes: those of key frames do not.
  private func changes(in range: Range<Int>) -> [Int] {
    guard sizes.count == count else { return [] }
    let keys = Set(keyFrames)
    return range.filter { !keys.contains($0) }
  }
}
