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
  /// Four of five frames take less.
  private let large: Double
  /// Half of the frames take less.
  private let usual: Double

  /// - Returns: `nil` if sizes are unknown.
  package init?(_ clock: ClipClock) {
    guard clock.sizes.count == clock.count else { return nil }
    let keys = Set(clock.keyFrames)
    sizes = clock.sizes.enumerated().map { keys.contains($0) ? nil : Double($1) }
    let known = sizes.compactMap(\.self)
    large = known.quantile(0.8) ?? 0
    usual = known.median ?? 0
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

  /// The frames in `range` whose size indicates how much changes.
  private func known(in range: Range<Int>) -> [(number: Int, size: Double)] {
    range.compactMap { number in sizes[number].map { (number, $0) } }
  }
}
