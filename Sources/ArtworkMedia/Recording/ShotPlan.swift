/// The frames of a source that a video contains, their order and their durations.
package struct ShotPlan: Equatable {
  package struct Shot: Equatable {
    /// The number of the frame in the source.
    var frame: Int
    /// The time in units of ``ShotPlan/timeBase``.
    var ticks: Int64
    /// The frames that it dissolves into.
    var dissolve: Dissolve?
  }

  package struct Dissolve: Equatable {
    /// A frame of the source that comes before all shots.
    var frame: Int
    /// Share of that frame in the mix, 0 to 1.
    var share: Double
  }

  package var shots: [Shot]
  /// Seconds in a tick.
  package var timeBase: Rational
  /// Frames of the source that are taken.
  package var frames: Range<Int>
  /// The rate that replaces one above ``FrameSelection/mostRate``.
  package var loweredRate: Rational?

  private var totalTicks: Int64 {
    shots.reduce(Int64(0)) { $0.addingClamped($1.ticks) }
  }

  package var durationSeconds: Double { Double(totalTicks) * timeBase.value }

  /// Whether the last shot is held longer than the others.
  package var restsAtEnd: Bool {
    guard let last = shots.last?.ticks, let longest = shots.dropLast().map(\.ticks).max() else {
      return false
    }
    return MediaFacts.isHeld(Double(last), beside: Double(longest))
  }

  /// Frames per second, the mean of a variable rate.
  package var rate: Rational {
    Rational(Int64(shots.count), totalTicks).flatMap { count in
      timeBase.inverse.flatMap { count.multiplied(by: $0) }
    } ?? .one
  }

  /// - Parameters:
  ///   - durations: of each frame of the source, in seconds, above zero.
  /// - Throws: `no-frames` for a range without a frame, `not-copied` for frames that are missing, `too-many-frames` or
  ///   `too-long`.
  package init(
    _ durations: [Rational], _ selection: FrameSelection, limits: Limits
  ) throws(InspectionError) {
    var durations = durations
    if selection.ignoresTimes, let step = selection.rate?.inverse {
      durations = durations.map { _ in step }
    }
    frames = try Self.frames(durations, selection)
    let order = Self.order(frames, selection.order, limits: limits)
    let pace = selection.speed.inverse ?? .one
    let longer = selection.cadence?.share.inverse ?? .one
    var shown = order.filter { selection.cadence?.isRepeat($0) != true }.map {
      (frame: $0, duration: durations[$0].multiplied(by: pace)?.multiplied(by: longer) ?? .one)
    }
    if shown.isEmpty { shown = order.prefix(1).map { ($0, durations[$0]) } }
    let shortest = shown.map(\.duration).min() ?? .one
    if let rate = selection.rate {
      shown = try Self.resampled(shown, to: rate, limits: limits)
    } else if selection.adapts, shortest < (Rational(1, selection.mostRate) ?? .one) {
      let lowered = Self.loweredRate(shown.map(\.duration), selection.mostRate)
      loweredRate = lowered
      shown = try Self.resampled(shown, to: lowered, limits: limits)
    }
    guard shown.count <= limits.frames else { throw Self.tooMany(limits) }
    if let first = shown.first?.duration, shown.allSatisfy({ $0.duration == first }),
      first.numerator <= Int64(Int32.max), first.denominator <= Int64(Int32.max)
    {
      timeBase = first
      shots = shown.map { Shot(frame: $0.frame, ticks: 1) }
    } else {
      let clock = PictureSequence.Clock(shown.map(\.duration))
      timeBase = clock.timeBase
      shots = shown.indices.map { index in
        let end = index + 1 < shown.count ? clock.timestamps[index + 1] : clock.end
        return Shot(frame: shown[index].frame, ticks: max(1, end - clock.timestamps[index]))
      }
    }
    try limits.checkLength(totalTicks, timeBase)
    try dissolve(selection.dissolvedFrames)
    if let begin = selection.begin, let place = shots.firstIndex(where: { $0.frame >= begin }) {
      shots = Array(shots[place...] + shots[..<place])
    }
  }

  /// Every frame once, in order.
  package init(ticks: [Int64], timeBase: Rational) {
    self.timeBase = timeBase
    frames = 0..<ticks.count
    shots = ticks.enumerated().map { Shot(frame: $0, ticks: $1) }
  }

  /// The frames that an edit list shows whose parts have a speed of their own or hold a frame (ISO/IEC 14496-12, 8.6.6),
  /// at the constant rate of the fastest part, at most ``FrameSelection/mostRate``.
  ///
  /// - Parameter durations: of the frames of the media, in seconds.
  /// - Throws: `too-many-frames`.
  init(
    _ clock: ClipClock, _ durations: [Rational], following edits: [EditSegment],
    _ selection: FrameSelection, limits: Limits
  ) throws(InspectionError) {
    // Speeds are multiples of a 65,536th. Where all is held, nothing asks for another rate.
    let fastest = edits.map { abs($0.rate ?? 1) }.max().flatMap { $0 > 0 ? $0 : nil } ?? 1
    let share = Rational(65536, wholeNumber(65536 * fastest, as: Int64.self) ?? 65536) ?? .one
    let step = durations.min()?.multiplied(by: share) ?? .one
    let rate = selection.rate ?? Self.loweredRate([step], selection.mostRate)
    let starts = clock.timestamps.map { Double($0) * clock.timeBase.value - 1e-6 }
    var shown: [Int] = []
    var end = 0.0
    for edit in edits {
      let begin = end
      end += edit.durationSeconds
      while Double(shown.count) + 0.5 < end * rate.value {
        guard shown.count < limits.frames else { throw Self.tooMany(limits) }
        // What is shown in the middle of the step; an empty edit goes on showing what was there.
        let passed = (Double(shown.count) + 0.5) / rate.value - begin
        let frame = edit.mediaSeconds.map { media in
          starts.lastIndex { $0 <= media + passed * (edit.rate ?? 1) } ?? 0
        }
        shown.append(frame ?? shown.last ?? 0)
      }
    }
    self.init(ticks: shown.map { _ in 1 }, timeBase: rate.inverse ?? .one)
    frames = durations.indices
    for (place, frame) in shown.enumerated() { shots[place].frame = frame }
  }

  /// The same pictures at a constant rate of at most ``FrameSelection/highestRate``, together as long: WebM states no
  /// duration of its last frame, so that readers take that of the others. Exact if every time is a multiple of the step.
  ///
  /// - Throws: `too-many-frames`.
  package func even(_ limits: Limits) throws(InspectionError) -> ShotPlan {
    guard let first = shots.first?.ticks, shots.contains(where: { $0.ticks != first }) else {
      return self
    }
    // The greatest common divisor of all.
    let unit = shots.reduce(first) { $0 / (Rational($0, $1.ticks)?.numerator ?? 1) }
    let most = durationSeconds * Double(FrameSelection.highestRate) + 1e-6
    let count = max(1, min(totalTicks / unit, wholeNumber(most, as: Int64.self) ?? .max))
    guard count <= limits.frames else { throw Self.tooMany(limits) }
    let exact = Rational(totalTicks, count).flatMap { timeBase.multiplied(by: $0) }
    let milliseconds = wholeNumber((durationSeconds * 1000).rounded(), as: Int64.self) ?? 1
    var even = self
    even.timeBase =
      exact.flatMap { max($0.numerator, $0.denominator) <= Int64(Int32.max) ? $0 : nil }
      ?? Rational(max(1, milliseconds), 1000 * count) ?? .one
    var (index, end) = (0, first)
    even.shots = (0..<count).map { number in
      // What is shown in the middle of the step.
      let time = (Double(number) + 0.5) * Double(totalTicks) / Double(count)
      while Double(end) <= time, index + 1 < shots.count {
        index += 1
        end += shots[index].ticks
      }
      var shot = shots[index]
      shot.ticks = 1
      return shot
    }
    return even
  }

  /// Dissolves the last shots into the frames before the first one.
  ///
  /// - Throws: `not-copied` if there are too few frames.
  private mutating func dissolve(_ count: Int) throws(InspectionError) {
    guard count > 0 else { return }
    guard count <= frames.lowerBound, count <= frames.count else {
      throw InspectionError(.notCopied, "there are no \(count) frames to dissolve into")
    }
    let mixed = frames.upperBound - count
    for index in shots.indices where shots[index].frame >= mixed {
      let place = shots[index].frame - mixed
      shots[index].dissolve = Dissolve(
        frame: frames.lowerBound - count + place, share: CrossFade.share(of: place, in: count))
    }
  }

  private static func tooMany(_ limits: Limits) -> InspectionError {
    InspectionError(.tooManyFrames, "the video would have more than \(limits.frames) frames")
  }

  private static func frames(
    _ durations: [Rational], _ selection: FrameSelection
  ) throws(InspectionError) -> Range<Int> {
    if !selection.adapts, case .frame(let end)? = selection.end, end > durations.count {
      throw InspectionError(
        .notCopied, "it has \(durations.count) frames, and \(end) are wanted")
    }
    var starts: [Double] = [0]
    for duration in durations { starts.append((starts.last ?? 0) + duration.value) }
    // The first frame that starts at the place or after it; rounding must not lose one.
    func number(_ position: FrameSelection.Position) -> Int {
      func first(from seconds: Double) -> Int {
        starts.firstIndex { $0 >= seconds - 1e-6 } ?? durations.count
      }
      switch position {
      case .frame(let number): return min(max(0, number), durations.count)
      case .progress(let part): return first(from: part * (starts.last ?? 0))
      case .seconds(let seconds): return first(from: seconds)
      }
    }
    let start = selection.start.map(number) ?? 0
    let end = selection.end.map(number) ?? durations.count
    guard start < end else {
      throw InspectionError(
        .noFrames,
        "no frame lies between --from and --to: there are \(durations.count) frames in "
          + "\(decimal(starts.last ?? 0, places: 3)) s",
        advice: "choose a --from that is before --to")
    }
    return start..<end
  }

  private static func order(
    _ frames: Range<Int>, _ mode: FrameSelection.Order, limits: Limits
  ) -> [Int] {
    let there = Array(frames)
    let andBack = there + there.dropFirst().dropLast().reversed()
    // Counts beyond the limit are refused; they need not be listed.
    func times(_ count: Int, _ once: [Int]) -> [Int] {
      (0..<min(count, limits.frames / once.count + 1)).flatMap { _ in once }
    }
    return switch mode {
    case .loop, .once: there
    case .autoReverse: andBack
    case .repeated(let count): times(count, there)
    case .repeatedBack(let count): times(count, andBack)
    }
  }

  /// The highest rate up to `most` that keeps every second, third, ... frame of a constant rate; `most` for a variable
  /// one.
  private static func loweredRate(_ durations: [Rational], _ most: Int64) -> Rational {
    let highest = Rational(most)
    guard let first = durations.first, durations.allSatisfy({ $0 == first }),
      let rate = first.inverse,
      let every = wholeNumber(
        (rate.value / highest.value - 1e-9).rounded(.up), as: Int64.self),
      let share = Rational(1, every), let lowered = rate.multiplied(by: share)
    else { return highest }
    return lowered
  }

  /// Frames at a constant rate: each is the source's picture at its start time.
  private static func resampled(
    _ shown: [(frame: Int, duration: Rational)], to rate: Rational, limits: Limits
  ) throws(InspectionError) -> [(frame: Int, duration: Rational)] {
    guard let step = rate.inverse else { return shown }
    let length = shown.reduce(0) { $0 + $1.duration.value }
    let count = max(1, wholeNumber((length * rate.value).rounded()) ?? .max)
    guard count <= limits.frames else { throw tooMany(limits) }
    var (index, end) = (0, shown.first?.duration.value ?? 0)
    return (0..<count).map { number in
      // Rounding must not select the frame before.
      let time = Double(number) * step.value + 1e-6
      while end <= time, index + 1 < shown.count {
        index += 1
        end += shown[index].duration.value
      }
      return (shown[index].frame, step)
    }
  }
}
