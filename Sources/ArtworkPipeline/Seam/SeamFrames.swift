/// What is kept of a clip's reduced frames to measure its seam.
struct SeamFrames {
  /// Numbers of one frame.
  struct Trace {
    var luma: Double
    /// The standard deviation of luma.
    var contrast: Double
    var sharpness: Double
  }

  /// The first and the last frames in presentation order; they overlap in short clips.
  var head: [Thumbnail] = []
  var tail: [Thumbnail] = []
  /// Of the frames that were seen at the start and at the end; both of the whole clip when all were seen.
  var headTraces: [Trace] = []
  var tailTraces: [Trace] = []
  /// The differences of neighbours among them, by block.
  var headSteps: [[Float]] = []
  var tailSteps: [[Float]] = []
  var isWhole: Bool
  /// The differences of each frame to the first, by block; empty when only the ends were seen.
  var excursions: [[Float]] = []

  /// The ends of a clip of `count` frames, up to where they meet.
  init(first: [Thumbnail], last: [Thumbnail], count: Int) {
    if first.count + last.count >= count {
      var recorder = SeamRecorder()
      let missing = last.suffix(max(0, count - first.count))
      for frame in first + missing { recorder.add(frame) }
      self = recorder.frames
      return
    }
    isWhole = false
    head = first
    tail = last
    headTraces = first.map(Trace.init)
    tailTraces = last.map(Trace.init)
    headSteps = zip(first, first.dropFirst()).map(FrameStep.blockSteps)
    tailSteps = zip(last, last.dropFirst()).map(FrameStep.blockSteps)
  }

  fileprivate init() { isWhole = true }

  /// Every step that was seen, once.
  var insideSteps: [[Float]] { isWhole ? headSteps : headSteps + tailSteps }

  /// The same over the part that moves.
  var steps: [Double] { insideSteps.map(PictureRegion(movingIn: insideSteps).mean) }

  /// Some frames of a whole clip as a clip of their own.
  ///
  /// - Parameter clip: all of its frames. Their sharpness is in the traces.
  func part(_ range: Range<Int>, of clip: ReducedClip) -> SeamFrames {
    precondition(isWhole && headTraces.count == clip.count, "the frames of a whole clip")
    var part = SeamFrames()
    part.head = range.prefix(SeamRecorder.kept).map(clip.thumbnail)
    part.tail = range.suffix(SeamRecorder.kept).map(clip.thumbnail)
    part.headTraces = Array(headTraces[range])
    part.tailTraces = part.headTraces
    part.headSteps = Array(
      headSteps[range.lowerBound..<max(range.lowerBound, range.upperBound - 1)])
    part.tailSteps = part.headSteps
    if let first = part.head.first {
      part.excursions = range.dropFirst().map { FrameStep.blockSteps(first, clip.thumbnail($0)) }
    }
    return part
  }
}

extension SeamFrames.Trace {
  init(_ frame: Thumbnail) {
    let statistics = FrameStep.statistics(frame)
    self.init(
      luma: statistics.mean, contrast: statistics.contrast, sharpness: Double(frame.sharpness))
  }
}

/// Takes the frames of a whole clip one by one in presentation order. Keeps the pictures of some at each end,
/// and half a kilobyte of numbers of every frame.
struct SeamRecorder {
  /// Pictures kept at each end: 16 drawings on threes.
  fileprivate static let kept = 48

  private var head: [Thumbnail] = []
  /// A ring: the frame after the last that was written is the oldest.
  private var ring: [Thumbnail] = []
  private var count = 0
  private var traces: [SeamFrames.Trace] = []
  private var steps: [[Float]] = []
  private var excursions: [[Float]] = []

  mutating func add(_ frame: Thumbnail) {
    if count > 0 { steps.append(FrameStep.blockSteps(ring[(count - 1) % Self.kept], frame)) }
    if let first = head.first { excursions.append(FrameStep.blockSteps(first, frame)) }
    if head.count < Self.kept { head.append(frame) }
    if ring.count < Self.kept { ring.append(frame) } else { ring[count % Self.kept] = frame }
    traces.append(SeamFrames.Trace(frame))
    count += 1
  }

  var frames: SeamFrames {
    var frames = SeamFrames()
    frames.head = head
    let oldest = ring.count < Self.kept ? 0 : count % Self.kept
    frames.tail = Array(ring[oldest...] + ring[..<oldest])
    frames.headTraces = traces
    frames.tailTraces = traces
    frames.headSteps = steps
    frames.tailSteps = steps
    frames.excursions = excursions
    return frames
  }
}
