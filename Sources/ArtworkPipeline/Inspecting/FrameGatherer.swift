/// The measurements of an inspection, gathered while the frames of a clip are decoded.
struct FrameGatherer: FrameReducer {
  private let request: InspectionRequest
  let endCount: Int
  /// The frames at each end that are measured at first.
  private var ends: Int
  /// The least of them: on labelled clips, so few gave the verdicts of ``endCount``.
  private static let fewestEnds = 5
  private var clip = SeamClip()
  private var looks: AppearanceRecorder?
  /// Frames that a question needs or may need.
  private var wanted: Set<Int> = []
  private var lastMeasured = 0
  private var lastLit = 0
  /// The number of parts of a clip in each of which at least one of the frames decoded on the way is measured.
  private static let places = 40
  /// Pictures of frames near the ends, for report images and strips.
  private var strip: [Int: PixelImage] = [:]

  /// Picture of the first displayed frame, as soon as it is decoded.
  private(set) var preview: PixelImage?
  private(set) var still: PixelImage?
  private(set) var signature: PictureSignature?
  /// Measurement of the frames so far; `nil` until the ends are decoded.
  private(set) var seam: SeamMeasurement?

  init(_ request: InspectionRequest, endCount: Int) {
    self.request = request
    (self.endCount, ends) = (endCount, endCount)
  }

  /// If the ends are more than this share of a clip, all of it is read at once.
  private static let mostOfAll = 0.6

  /// The frames at each end to begin with: up to a keyframe that lies a little nearer to the end, since one frame more would
  /// take another group of pictures.
  mutating func ends(_ clock: ClipClock) -> Int {
    if Double(2 * endCount) > Self.mostOfAll * Double(clock.count) { return clock.count }
    let left = clock.keyFrames.map { clock.count - $0 }
    if let near = left.first(where: { $0 < endCount }), near >= Self.fewestEnds,
      let far = left.last(where: { $0 >= endCount }), far - near >= endCount
    {
      ends = near
    }
    return ends
  }

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    if place.number == 0 {
      try begin(frame)
      // A full decode has them all.
      if place.count == nil { ends = endCount }
    }
    guard !request.onlyPreview else { return }
    guard isMeasured(place) else {
      // Every other frame shows whether the picture flashes there.
      if request.countsFlashes, abs(place.number - lastLit) > 1 {
        lastLit = place.number
        looks?.add(try frame.thumbnail(), number: place.number)
      }
      return
    }
    lastMeasured = place.number
    let thumbnail = try frame.thumbnail()
    clip.add(thumbnail, number: place.number)
    looks?.add(thumbnail, number: place.number)
    // Elsewhere one of four neighbours will do: they hardly differ.
    if !place.isInside(ends) || place.number.isMultiple(of: 4) {
      unsafe frame.withLuma { luma, bitDepth in
        unsafe looks?.add(luma, bitDepth: bitDepth, mean: FrameStep.statistics(thumbnail).mean)
      }
    }
    if let stripSize { try addToStrip(frame, at: place, size: stripSize) }
  }

  /// Whether a frame adds information to those before it. Between the ends, frames that follow no measured one give
  /// no step, and a few of them suffice to describe the picture there.
  private func isMeasured(_ place: FramePlace) -> Bool {
    guard let count = place.count, place.isInside(ends), !wanted.contains(place.number) else {
      return true
    }
    let way = place.number - lastMeasured
    return way == 1 || way < 0 || way >= count / Self.places
  }

  /// Discards everything before the first frame.
  private mutating func begin(
    _ frame: borrowing some SourceFrame & ~Copyable
  ) throws(InspectionError) {
    (clip, seam) = (SeamClip(), nil)
    strip = [:]
    let picture = try frame.picture(inside: PictureSignature.sourceSize)
    signature = PictureSignature(picture)
    looks = AppearanceRecorder(
      codes: frame.lightCodes, picture: try frame.picture(inside: AppearanceRecorder.scanSize))
    if ![.none, .seam].contains(request.preview) {
      preview = try frame.picture(size: request.preview.size)
    }
    if request.reportImages { still = try frame.picture(inside: ReportImageMaker.previewSize) }
  }

  /// The largest size of the pictures of frames near the ends; `nil` if none are requested.
  private var stripSize: PixelSize? {
    request.preview == .seam
      ? SeamStrip.frameSize : request.reportImages ? ReportImageMaker.frameSize : nil
  }

  private mutating func addToStrip(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace, size: PixelSize
  ) throws(InspectionError) {
    let each = SeamStrip.endCount
    if place.isInside(each) { return }
    strip[place.number] = try frame.picture(inside: size)
    // If the end is not known yet, the last ones are kept.
    if place.count == nil, place.number >= 2 * each { strip[place.number - each] = nil }
  }

  mutating func glimpses(_ clock: ClipClock) -> Set<Int> {
    guard !request.onlyPreview, let sizes = PacketSizes(clock) else { return [] }
    let range = ends..<max(ends, clock.count - ends)
    wanted = sizes.ends(changing: ends)
      .union(sizes.quietWindows(in: range).joined())
      .union((sizes.sample(of: range) ?? []).joined())
    return wanted
  }

  mutating func framesNeeded(_ clock: ClipClock) throws(InspectionError) -> FrameRequest {
    if request.onlyPreview { return .nothing }
    if request.settlesDoubts, let looks = looks(clock, display: nil),
      Rules.wantEveryFrame(looks, countsFlashes: request.countsFlashes)
    {
      return .everyFrame
    }
    if let missing = measure(clock) { return .frames(missing.numbers) }
    let frames = clip.framesForCadence
    if frames.count == clock.count { return .everyFrame }
    wanted.formUnion(frames)
    return frames.isEmpty ? .nothing : .frames(frames)
  }

  /// Measures the seam from the frames so far.
  ///
  /// - Returns: the frames that it needs to continue.
  mutating func measure(_ clock: ClipClock) -> MissingFrames? {
    clip.finish(clock)
    do throws(MissingFrames) {
      seam = try SeamMeasurement(clip, ends: ends)
      return nil
    } catch {
      if error.needsPictures { clip.keep(error.numbers) }
      wanted.formUnion(error.numbers)
      return error
    }
  }

  /// The appearance measurements; `nil` before the first frame.
  func looks(_ clock: ClipClock, display: DisplayedPicture?) -> AppearanceMeasurement? {
    var measured = looks?.measurement(
      clock: LoopClock(
        timestamps: clock.timestamps, lastDuration: clock.lastDuration,
        medianStep: clock.medianStep, timeBase: clock.timeBase),
      display: display)
    measured?.cadence = clip.cadence
    return measured
  }

  private func strips(_ count: Int) -> (last: [PixelImage], first: [PixelImage]) {
    let each = min(SeamStrip.endCount, count)
    return (
      (count - each..<count).compactMap { strip[$0] }, (0..<each).compactMap { strip[$0] }
    )
  }

  /// The frames around the seam, if requested.
  func seamStrip(count: Int) -> PixelImage? {
    guard request.preview == .seam else { return nil }
    let ends = strips(count)
    return SeamStrip.draw(last: ends.last, first: ends.first)
  }

  /// The small pictures for reports, if requested.
  func reportImages(count: Int, seamStep: Double?) throws(InspectionError) -> ReportImages? {
    guard let still else { return nil }
    let (ends, steps) = (strips(count), clip.blockSteps)
    return try ReportImageMaker(
      preview: still, first: ends.first, last: ends.last, count: count,
      steps: steps.map(PictureRegion(movingIn: steps).mean), seamStep: seamStep
    ).make()
  }
}
