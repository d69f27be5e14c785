/// Encodes the shots of a ``ShotPlan`` from the frames of a source.
///
/// Frames are encoded as they are read. Those that are shown again next, backward or from the start, are held if they
/// fit into ``mostHeldBytes``; otherwise the source is read again, if it runs backward for each group that fits.
///
/// A class because reducers are copied, and an encoder cannot be.
package final class MovieRecorder {
  private let plan: ShotPlan
  private let form: FrameForm
  private let progress: (_ done: Int, _ count: Int) -> Void
  /// Frames that may be held.
  private let group: Int
  /// `nil` once it is finished.
  private var movie: EncodedMovie?
  private let drift: LightDrift?
  /// The shot that is encoded next.
  private var next = 0
  /// Frames to encode backward or again, or to dissolve into, by number.
  private var held: [Int: HeldFrame] = [:]
  /// Frames that the next run of shots needs again.
  private var kept: Set<Int> = []
  private(set) var isTransparent = false
  /// The frames that shots dissolve into.
  private let dissolved: Set<Int>

  /// Most bytes of frames that are stored to be encoded again or to dissolve into.
  package static let mostHeldBytes = 128 << 20

  /// - Parameters:
  ///   - source: a track whose turn and other side data the video keeps; `nil` for pictures.
  ///   - drift: of the frames.
  ///   - mostBytes: of the file.
  init(
    _ plan: ShotPlan, _ form: FrameForm, _ format: VideoEncoder.Format,
    copying source: VideoStream? = nil, container: MovieContainer = .mp4,
    drift: LightDrift? = nil, mostBytes: Int,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) {
    self.plan = plan
    self.form = form
    self.progress = progress
    self.drift = drift
    movie = try unsafe EncodedMovie.open(
      format, copying: source, muxer: container.rawValue, atMost: mostBytes)
    precondition(
      format.bitDepth == 8 || drift == nil && plan.shots.allSatisfy { $0.dissolve == nil },
      "frames of 8 bits dissolve and are levelled")
    dissolved = Set(plan.shots.compactMap(\.dissolve?.frame))
    group = max(1, Self.mostHeldBytes / (format.size.area * 3 / 2 * format.bytesPerSample))
  }

  /// Reads the source as often as the plan needs it.
  ///
  /// - Returns: the bytes of the file.
  /// - Throws: errors of the source; `decode-failed` if it does not deliver a frame that it has announced.
  package func record(
    _ source: borrowing some FrameSource & ~Copyable
  ) throws(InspectionError) -> [UInt8] {
    while next < plan.shots.count {
      let run = run(at: next)
      let shots = plan.shots[run]
      let mixed = Set(shots.compactMap(\.dissolve?.frame))
      guard mixed.count <= group else {
        throw InspectionError(
          .outOfMemory, "\(mixed.count) frames are too large to dissolve", operation: "encode")
      }
      let frames = Set(shots.map(\.frame)).union(mixed)
      kept = Set(plan.shots[self.run(at: run.upperBound)].map(\.frame))
      if kept.count + mixed.count > group { kept = [] }
      if !frames.isSubset(of: held.keys) {
        let isBackward = (shots.last?.frame ?? 0) < plan.shots[next].frame
        var reducer = ShotReducer(recorder: self, numbers: frames, holding: isBackward)
        _ = try source.readFrames(everyFrame: true, into: &reducer)
      }
      while next < run.upperBound, let frame = held[plan.shots[next].frame] {
        try show(frame.frame)
      }
      guard next >= run.upperBound else {
        throw InspectionError(
          .decodeFailed, "frame \(plan.shots[next].frame) cannot be decoded")
      }
      held = held.filter { kept.contains($0.key) }
    }
    guard let movie = movie.take() else { return [] }
    return try movie.finish()
  }

  /// The shots from one on whose frames are in order, or in reverse order and few enough to be held.
  private func run(at start: Int) -> Range<Int> {
    let shots = plan.shots[start...]
    let pairs = zip(shots, shots.dropFirst())
    let forward = pairs.prefix { $0.frame <= $1.frame }.count
    let backward = pairs.prefix { $0.frame >= $1.frame }.count
    let count = min(shots.count, 1 + max(forward, backward))
    guard backward > forward else { return start..<start + count }
    var frames: Set<Int> = []
    return start..<start
      + shots.prefix(count).prefix {
        frames.insert($0.frame)
        return frames.count <= group
      }.count
  }

  /// Takes a frame of the source that the plan needs now or soon.
  fileprivate func take(
    _ frame: borrowing some SourceFrame & ~Copyable, _ number: Int, holding: Bool
  ) throws(InspectionError) {
    let isHeld = holding || dissolved.contains(number)
    let isNext = next < plan.shots.count && plan.shots[next].frame == number
    guard isHeld || isNext else { return }
    var (made, isTransparent) = try form.frame(of: frame)
    self.isTransparent = self.isTransparent || isTransparent
    if let drift {
      made = HeldFrame(try FrameConverter.levelled(made.frame, by: drift.map(at: number)))
    }
    if isHeld || kept.contains(number) { held[number] = made }
    if isHeld { return }
    repeat {
      try show(made.frame)
    } while next < plan.shots.count
      && plan.shots[next].frame == number
  }

  /// Encodes the next shot from its frame.
  private func show(_ frame: borrowing Frame) throws(InspectionError) {
    guard let mix = plan.shots[next].dissolve else { return try encode(frame) }
    guard let other = held[mix.frame] else {
      throw InspectionError(.decodeFailed, "frame \(mix.frame) cannot be decoded")
    }
    try encode(FrameConverter.mixed(frame, with: other.frame, share: mix.share))
  }

  private func encode(_ frame: borrowing Frame) throws(InspectionError) {
    let ticks = plan.shots[next].ticks
    try movie?.append(frame, duration: ticks)
    next += 1
    progress(next, plan.shots.count)
  }
}

private struct ShotReducer: FrameReducer {
  let endCount = 1
  let recorder: MovieRecorder
  let numbers: Set<Int>
  let holding: Bool

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    guard numbers.contains(place.number) else { return }
    try recorder.take(frame, place.number, holding: holding)
  }
}
