/// Takes the frames of a clip one by one and measures how they look. Keeps 2 KB of numbers of every frame.
struct LooksRecorder {
  private let codes: LightCodes
  private var luminance: [Float] = []
  private var redness: [Float] = []
  private var spreads: [Double] = []
  private var firstLuma = 0.0
  /// Of all frames, in any order, and of the first that came.
  private var borders = BorderScan()
  private var points: (first: Double, most: Double)?

  init(codes: LightCodes) { self.codes = codes }

  /// The next frame in presentation order; 15 us.
  mutating func add(_ frame: Thumbnail) {
    if spreads.isEmpty { firstLuma = FrameStep.statistics(frame).mean }
    let light = codes.light(of: frame)
    luminance += light.luminance
    redness += light.redness
    spreads.append(frame.spread)
  }

  /// What is seen at full size only, of every frame, the first displayed one first: its luma, cropped.
  mutating func add(_ luma: PlanarPixels.Plane, bitDepth: Int, mean: Double) {
    borders.add(luma, bitDepth: bitDepth)
    let share = FarSamples.share(of: luma, bitDepth: bitDepth, mean: mean)
    points = (points?.first ?? share, max(points?.most ?? 0, share))
  }

  /// The same without frames so far, but for what was seen at full size.
  func startingAgain() -> LooksRecorder {
    var other = LooksRecorder(codes: codes)
    (other.borders, other.points) = (borders, points)
    return other
  }

  /// What was measured.
  ///
  /// - Parameters:
  ///   - scope: whether the frames are all there are, or those at the ends in order.
  ///   - clock: the times of all frames of the clip.
  func measurement(scope: SeamMeasurement.Scope, clock: LoopClock, display: DisplayedPicture)
    -> LooksMeasurement
  {
    let largest = spreads.max() ?? 0
    let isWhole = scope == .everyFrame && clock.times.count == spreads.count
    let picture = isWhole ? spreads.firstIndex { 2 * $0 >= largest } : nil
    return LooksMeasurement(
      scope: scope, flash: scope == .ends ? endsFlash : isWhole ? wholeFlash(clock) : nil,
      borders: Borders(borders, display),
      firstFrame: FirstFrame(
        content: PictureContent(spread: spreads.first ?? 0, points: points?.first ?? 0),
        largest: PictureContent(spread: largest, points: points?.most ?? 0), luma: firstLuma,
        pictureSeconds: picture.map { clock.times[$0] }))
  }

  private func wholeFlash(_ clock: LoopClock) -> FlashMeasurement? {
    guard clock.times.count > 1, clock.duration > 0 else { return nil }
    return FlashMeasurement(
      general: FlashCount.worstSecond(
        luminance, times: clock.times, duration: clock.duration, kind: .general),
      red: FlashCount.worstSecond(
        redness, times: clock.times, duration: clock.duration, kind: .red))
  }

  /// The frames at the ends are neighbours but for those where start and end meet, and the first follows the last.
  private var endsFlash: FlashMeasurement? {
    let count = spreads.count
    guard count > 1 else { return nil }
    func frame(_ number: Int, of values: [Float]) -> [Float] {
      Array(values[number * SwingGrid.cellCount..<(number + 1) * SwingGrid.cellCount])
    }
    func change(_ values: [Float], _ kind: FlashCount.Kind) -> Double {
      (0..<count).map { number in
        FlashCount.largestChange(
          from: frame(number, of: values), to: frame((number + 1) % count, of: values), kind: kind)
      }.max() ?? 0
    }
    return FlashMeasurement(endChange: max(change(luminance, .general), change(redness, .red)))
  }
}
