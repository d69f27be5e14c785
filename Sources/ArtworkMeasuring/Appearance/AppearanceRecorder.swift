/// Measures the appearance of a clip from its frames, one by one. Stores 2 KB of numbers per frame.
package struct AppearanceRecorder {
  private let codes: LightCodes
  /// Maps a frame's number in presentation order to its place among the measurements, which are in the
  /// order in which frames came.
  private var places: [Int: Int] = [:]
  private var luminance: [Float] = []
  private var redness: [Float] = []
  private var spreads: [Double] = []
  private var firstLuma = 0.0
  private var borders = BorderScan()
  private var points: (first: Double, most: Double)?
  private let inset: Inset?
  private let softBars: SoftBars?
  private var sharpness: Double?
  private var fineDetail: Double?
  private var blockEdges: Double?
  private var bands: Double?

  /// Pictures are scanned at this size or smaller.
  package static let scanSize = PixelSize(width: 256, height: 256)

  /// - Parameter picture: the first displayed frame.
  package init(codes: LightCodes, picture: PixelImage? = nil) {
    self.codes = codes
    inset = picture.flatMap(InsetScan.init)?.best()
    softBars = picture.flatMap { SoftBars($0) }
  }

  /// Adds a frame, the first displayed one first; 15 us.
  package mutating func add(_ frame: Thumbnail, number: Int) {
    // Frames that are decoded again on the way to others come twice.
    guard places[number] == nil else { return }
    if places.isEmpty {
      (firstLuma, sharpness) = (FrameStep.statistics(frame).mean, Double(frame.sharpness))
    }
    let light = codes.light(of: frame)
    places[number] = places.count
    luminance += light.luminance
    redness += light.redness
    spreads.append(frame.spread)
  }

  /// Adds the cropped luma of a frame, for measurements at full size; the first displayed frame first.
  package mutating func add(_ luma: PlanarPixels.Plane, bitDepth: Int, mean: Double) {
    unsafe borders.add(luma, bitDepth: bitDepth)
    if points == nil {
      fineDetail = unsafe FineDetail.share(luma, bitDepth: bitDepth)
      let grid = unsafe BlockGrid(luma, bitDepth: bitDepth)
      blockEdges = grid?.edges
      // The steps of squares are no stairs.
      bands = unsafe grid?.isDrawn == true ? 0 : BandSteps.share(luma, bitDepth: bitDepth)
    }
    let share = unsafe GridSamples.share(of: luma, bitDepth: bitDepth, mean: mean)
    points = (points?.first ?? share, max(points?.most ?? 0, share))
  }

  /// The measurements so far.
  ///
  /// - Parameters:
  ///   - clock: the times of all frames of the clip.
  ///   - display: `nil` leaves borders out.
  package func measurement(clock: LoopClock, display: DisplayedPicture?) -> AppearanceMeasurement {
    let isWhole = places.count == max(1, clock.times.count)
    let largest = spreads.max() ?? 0
    // The first picture is known if every frame before it was decoded.
    let picture = numbers.enumerated().prefix { $0 == $1 }.map(\.element)
      .first { 2 * spreads[places[$0] ?? 0] >= largest }
    return AppearanceMeasurement(
      scope: isWhole ? .everyFrame : .ends, flash: isWhole ? wholeFlash(clock) : endsFlash(clock),
      borders: display.flatMap { Borders(borders, $0) },
      firstFrame: FirstFrame(
        content: PictureContent(spread: spreads.first ?? 0, points: points?.first ?? 0),
        largest: PictureContent(spread: largest, points: points?.most ?? 0), luma: firstLuma,
        pictureSeconds: picture.map { clock.times[$0] }), inset: inset, softBars: softBars,
      sharpness: sharpness, fineDetail: fineDetail,
      blockEdges: blockEdges, bands: bands)
  }

  /// The numbers of the frames that came, ascending.
  private var numbers: [Int] { places.keys.sorted() }

  /// The cells of a frame that came.
  private func frame(_ number: Int, of values: [Float]) -> [Float] {
    let place = places[number] ?? 0
    return Array(values[place * SwingGrid.cellCount..<(place + 1) * SwingGrid.cellCount])
  }

  /// The cells of all frames that came, in presentation order.
  private func inOrder(_ values: [Float]) -> [Float] {
    let numbers = numbers
    if numbers.allSatisfy({ places[$0] == $0 }) { return values }
    return numbers.flatMap { frame($0, of: values) }
  }

  private func wholeFlash(_ clock: LoopClock) -> FlashMeasurement? {
    guard clock.times.count > 1, clock.duration > 0 else { return nil }
    return FlashMeasurement(luminance: inOrder(luminance), redness: inOrder(redness), clock)
  }

  /// Frames on the way to others that are so near, in seconds, show what flashes between them; a single change there may be
  /// motion, and so many of them within a second are not.
  private static let (near, fewest) = (0.1, 4)

  /// Between neighbours in the last and the first half second, and from the last frame to the first: these follow each
  /// other within one second. Elsewhere, where changes are many.
  private func endsFlash(_ clock: LoopClock) -> FlashMeasurement? {
    let last = clock.times.count - 1
    guard places.count > 1, places[last] != nil else { return nil }
    let numbers = numbers
    // Runs of frames that follow each other, one of them across the seam, and the times of these.
    var runs: [[(number: Int, time: Double)]] = []
    let isLate = { (number: Int) in 2 * number > last }
    let near = max(Self.near, 1.5 * clock.duration / Double(last + 1))
    for number in numbers.filter(isLate) + numbers.filter({ !isLate($0) }) {
      let time = clock.times[number] - (isLate(number) ? clock.duration : 0)
      let follows = runs.last?.last.map { time - $0.time < near } ?? false
      if !follows { runs.append([]) }
      runs[runs.count - 1].append((number, time))
    }
    /// The largest change, and the second largest if some goes back.
    func changes(_ values: [Float], _ kind: FlashCount.Kind) -> (largest: Double, back: Double) {
      var (ends, inside): ([Double], [(time: Double, change: Double)]) = ([], [])
      for (number, next) in zip(numbers, numbers.dropFirst() + [0]) {
        let time = clock.times[number]
        let isAtEnd = time < 0.5 || number == last || clock.duration - time < 0.5
        guard
          isAtEnd
            ? next == (number == last ? 0 : number + 1) : clock.times[next] - time < Self.near
        else { continue }
        let change = FlashCount.largestChange(
          from: frame(number, of: values), to: frame(next, of: values), kind: kind)
        if isAtEnd {
          ends.append(change)
        } else if change > FlashMeasurement.area {
          inside.append((time, change))
        }
      }
      let isBurst = zip(inside, inside.dropFirst(Self.fewest - 1)).contains {
        $1.time - $0.time < 1
      }
      let sorted = (ends + (isBurst ? inside.map(\.change) : [])).sorted(by: >)
      let back = sorted.dropFirst().first ?? 0
      let goesBack =
        back > FlashMeasurement.area
        && runs.contains { run in
          FlashCount.worstSecond(
            run.flatMap { frame($0.number, of: values) }, times: run.map(\.time), duration: nil,
            kind: kind)?.flashes ?? 0 >= 1
        }
      return (sorted.first ?? 0, goesBack ? back : 0)
    }
    let (general, red) = (changes(luminance, .general), changes(redness, .red))
    return FlashMeasurement(
      endChange: max(general.largest, red.largest), endReturn: max(general.back, red.back))
  }
}
