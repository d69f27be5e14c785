import ArtworkModel

/// Encodes the shots of an ``ImportPlan`` from the frames of a source.
///
/// Frames are encoded as they are read. Where the video runs backward, the source is read again for each group of frames
/// that fits into ``mostHeldBytes``.
///
/// A class because reducers are copied, and an encoder cannot be.
final class MovieRecorder {
  private let plan: ImportPlan
  private let request: ImportRequest
  private let progress: (_ done: Int, _ count: Int) -> Void
  private var movie: EncodedMovie?
  /// The shot that is encoded next.
  private var next = 0
  /// Frames to encode backward, by number.
  private var held: [Int: HeldFrame] = [:]
  private(set) var isTransparent = false

  /// Of frames that are held to be encoded backward.
  private static let mostHeldBytes = 128 << 20

  init(
    _ plan: ImportPlan, _ request: ImportRequest, mostBytes: Int,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) {
    self.plan = plan
    self.request = request
    self.progress = progress
    movie = try EncodedMovie.open(
      VideoEncoder.Format(
        codec: request.codec, size: request.size, timeBase: plan.timeBase, rate: plan.rate),
      container: request.container, atMost: mostBytes)
  }

  /// Reads the source as often as the plan needs it.
  ///
  /// - Returns: the bytes of the file.
  /// - Throws: what the source throws; `decode-failed` where it does not give a frame that it has announced.
  func record(
    _ source: borrowing some FrameSource & ~Copyable
  ) throws(InspectionError) -> [UInt8] {
    let group = max(1, Self.mostHeldBytes / (request.size.area * 3 / 2))
    while next < plan.shots.count {
      let start = next
      let isBackward = runsBackward(at: next)
      if isBackward {
        let shots = plan.shots[next...].prefix(group)
        let numbers = zip(shots, shots.dropFirst()).prefix { $1.frame < $0.frame }.map(\.1.frame)
        try read(source, Set([plan.shots[next].frame] + numbers), holding: true)
        while next < plan.shots.count, next - start <= numbers.count,
          let frame = held[plan.shots[next].frame]
        {
          try encode(frame.frame)
        }
        held = [:]
      } else {
        let shots = plan.shots[next...]
        let run = zip(shots, shots.dropFirst()).prefix { $1.frame >= $0.frame }.map(\.1.frame)
        try read(source, Set([plan.shots[next].frame] + run), holding: false)
      }
      guard next > start else {
        throw InspectionError(
          .decodeFailed, "frame \(plan.shots[next].frame) cannot be decoded")
      }
    }
    guard let movie = movie.take() else { return [] }
    return try movie.finish()
  }

  private func runsBackward(at shot: Int) -> Bool {
    shot + 1 < plan.shots.count && plan.shots[shot + 1].frame < plan.shots[shot].frame
  }

  private func read(
    _ source: borrowing some FrameSource & ~Copyable, _ numbers: Set<Int>, holding: Bool
  ) throws(InspectionError) {
    var reducer = ShotReducer(recorder: self, numbers: numbers, holding: holding)
    _ = try source.readFrames(everyFrame: true, into: &reducer)
  }

  /// Takes a frame of the source that the plan shows now or, backward, soon.
  fileprivate func take(
    _ frame: borrowing some SourceFrame & ~Copyable, _ number: Int, holding: Bool
  ) throws(InspectionError) {
    guard holding || next < plan.shots.count && plan.shots[next].frame == number else { return }
    let prepared = try request.prepared(frame.picture { $0 })
    isTransparent = isTransparent || prepared.isTransparent
    let encodable = try FrameConverter.encodable(prepared.image)
    if holding {
      held[number] = HeldFrame(encodable)
      return
    }
    repeat {
      try encode(encodable)
    } while next < plan.shots.count
      && plan.shots[next].frame == number
  }

  private func encode(_ frame: borrowing Frame) throws(InspectionError) {
    try movie?.append(frame, duration: plan.shots[next].ticks)
    next += 1
    progress(next, plan.shots.count)
  }
}

/// Keeps a frame in a collection.
private final class HeldFrame {
  let frame: Frame

  init(_ frame: consuming Frame) { self.frame = frame }
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
