/// Keeps reduced frames from across the clip.
///
/// Of a long clip, which is not decoded twice, it takes those that are decoded on the way to the last frame, and of other GOPs
/// the first frame and a later one.
struct FocusSampler: FrameReducer {
  /// Enough to detect motion.
  private static let samples = 16
  /// How many frames after a keyframe the later one is: half a second at 24 frames per second.
  private static let reach = 12
  /// Frames of a clip that is not long: a minute at 30 frames per second.
  private static let few = 1800

  let endCount = 1
  private(set) var frames: [Thumbnail] = []
  private var taken: Set<Int> = []
  private var requested: Set<Int>?
  /// Whether there is a part to choose, and whether by visual interest.
  let (isNeeded, searches): (Bool, Bool)
  /// The frames nearest to the start, the middle and the end, if they are to be drawn.
  private var drawn: [(number: Int, image: PixelImage)?] = [nil, nil, nil]
  private let draws: Bool

  /// - Parameter draws: whether to keep ``pictures``.
  init(_ area: Encoding.Area, draws: Bool = false) {
    self.draws = draws
    guard case .chosen(let key, let focus) = area else {
      (isNeeded, searches) = (false, false)
      return
    }
    (isNeeded, searches) = (true, key != nil && focus == .auto)
  }

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    if place.number == 0 { (frames, taken, drawn) = ([], [], [nil, nil, nil]) }
    guard isNeeded, place.number == 0 || searches && isSample(place) else { return }
    taken.insert(place.number)
    frames.append(try frame.thumbnail())
    if draws { try draw(frame, at: place) }
  }

  /// Up to three pictures, in presentation order.
  var pictures: [PixelImage] {
    let drawn = drawn.compactMap(\.self)
    return drawn.indices.filter { $0 == 0 || drawn[$0].number > drawn[$0 - 1].number }
      .map { drawn[$0].image }
  }

  private mutating func draw(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    let last = (place.count ?? 1) - 1
    let nearer = drawn.indices.filter { slot in
      let goal = slot * last / 2
      return drawn[slot].map { abs(place.number - goal) < abs($0.number - goal) } ?? true
    }
    if nearer.isEmpty { return }
    let image = try frame.picture(inside: CropPicture.frameSize)
    for slot in nearer { drawn[slot] = (place.number, image) }
  }

  private func isSample(_ place: FramePlace) -> Bool {
    // If every frame has to be decoded, the number of frames is not known.
    guard let count = place.count else { return place.number.isMultiple(of: 4) }
    return requested?.contains(place.number) ?? Self.samples(of: count).contains(place.number)
  }

  private static func samples(of count: Int) -> Set<Int> {
    Set((0...samples).map { $0 * (count - 1) / samples })
  }

  func glimpses(_ clock: ClipClock) -> Set<Int> {
    searches ? Self.samples(of: clock.count) : []
  }

  mutating func framesNeeded(_ clock: ClipClock) throws(InspectionError) -> FrameRequest {
    guard searches, requested == nil else { return .nothing }
    let missing = Self.samples(of: clock.count).subtracting(taken)
    let near = missing.flatMap { sample in
      let key = clock.keyFrames.last { $0 <= sample } ?? 0
      return clock.count <= Self.few ? [sample] : [key, min(sample, key + Self.reach)]
    }
    let wanted = Set(near).subtracting(taken)
    requested = wanted
    return wanted.isEmpty ? .nothing : .frames(wanted)
  }
}
