import Glibc

extension SeamWindow {
  /// No picture has more contrast: the most that real footage and drawings reach.
  private static let mostContrast = 100.0
  /// An end without any picture, in code values.
  private static let noContrast = 4.0
  /// A fade leaves the frame beside the outermost one less than this share of the contrast nearby: half of it, if it
  /// takes only two frames. More is left beside a single blank frame, if the contrast varies.
  private static let dimmedContrast = 0.6

  /// See ``SeamMeasurement/dimness``.
  func dimness(_ limits: SeamThresholds) throws(MissingFrames) -> Double? {
    var ends: [(contrast: Double, isStart: Bool)] = []
    for isStart in [true, false] {
      let contrasts = try (isStart ? head : tail.reversed()).map {
        number throws(MissingFrames) in try clip.trace(number).contrast
      }
      // A fade takes several frames; a single blank one is a flash or a fault.
      guard contrasts.count > 1 else { continue }
      let dimmed = max(Self.noContrast, Self.dimmedContrast * (contrasts.max() ?? 0))
      if contrasts[1] < dimmed { ends.append((contrasts[0], isStart)) }
    }
    ends.sort { $0.contrast < $1.contrast }
    guard let lowest = ends.first?.contrast, lowest < limits.fade * Self.mostContrast else {
      return nil
    }
    let usual = (try traces(near: places).map(\.contrast).median ?? 0) + 0.001
    for end in ends {
      if end.contrast >= limits.fade * usual { return end.contrast / usual }
      if try dims(isStart: end.isStart) { return end.contrast / usual }
    }
    return nil
  }

  /// Whether the picture is as dim as at a faded end somewhere inside as well: light that goes and comes.
  func dimsInside(below share: Double) throws(MissingFrames) -> Bool {
    let usual = try traces(near: places).map(\.contrast).median ?? 0
    var isDim: [Bool] = []
    for number in 0..<clip.round { isDim.append(try clip.trace(number).contrast < share * usual) }
    return isDim.drop { $0 }.reversed().drop { $0 }.contains(true)
  }

  /// Each end falls at least by this share within the window, and frames in between may rise by this much.
  private static let (falling, wavering) = (0.1, 0.02)
  /// The light inside is steady if the quarters of the frames differ by less than this share of the usual, and it dips
  /// nowhere near as low as at the seam.
  private static let (unsteady, inside) = (0.25, 0.85)
  /// A dip is seen below this share of the usual.
  private static let dipped = 0.7
  /// Light of black in code values.
  private static let black = 16.0

  /// See ``SeamMeasurement/dip``.
  func dip() throws(MissingFrames) -> Double? {
    func values(
      _ numbers: some Sequence<Int>, _ value: (SeamTrace) -> Double
    ) throws(MissingFrames) -> [Double] {
      var values: [Double] = []
      for number in numbers { values.append(value(try clip.trace(number))) }
      return values
    }
    for value in [{ $0.luma - Self.black }, { $0.contrast }] as [(SeamTrace) -> Double] {
      let (starting, ending) = (try values(head, value), try values(tail.reversed(), value))
      let falls = [starting, ending].allSatisfy { values in
        guard let outer = values.first, let inner = values.max(), outer > 0, values.count > 2 else {
          return false
        }
        return outer < (1 - Self.falling) * inner
          && zip(values, values.dropFirst()).allSatisfy { $0 < $1 + Self.wavering * inner }
      }
      guard falls, let outer = [starting[0], ending[0]].max() else { continue }
      let usual = try traces(near: places).map(value).median ?? 0
      guard outer < Self.dipped * usual else { continue }
      try clip.requireWhole()
      let all = try values(0..<clip.round, value)
      let middle = all[clip.round / 5..<clip.round - clip.round / 5]
      guard let least = middle.min(), outer < Self.inside * least, let low = all.quantile(0.25),
        let high = all.quantile(0.75), high - low < Self.unsteady * usual
      else { continue }
      return outer / usual
    }
    return nil
  }

  /// A picture appears with the first frame that has this contrast, and this multiple of the outermost one's.
  private static let (visible, rise) = (0.5, 1.3)
  /// Frames over which it is followed from there.
  private static let followed = 8
  /// If a picture dims, its largest deviations fall with its contrast. An object that is drawn on an even ground
  /// keeps them and covers less: they change by less than this power of the change of contrast. Those of fades change
  /// by nearly as much, on the tuning half as well as by arithmetic.
  private static let dimming = 0.65

  /// Whether the contrast near an end falls because the picture dims, and not because parts of it vanish; `true` if
  /// nothing appears in the available frames.
  private func dims(isStart: Bool) throws(MissingFrames) -> Bool {
    let numbers = (0..<min(SeamClip.kept, clip.count / 2)).map {
      isStart ? $0 : clip.count - 1 - $0
    }
    var least = Self.visible
    var appearing: [ComparedFrame] = []
    /// The earliest one, and the one with the most contrast, if they are conclusive.
    var pair: (outer: ComparedFrame, inner: ComparedFrame)? {
      guard let outer = appearing.first,
        let inner = appearing.max(by: { $0.contrast < $1.contrast }),
        inner.contrast > Self.rise * outer.contrast
      else { return nil }
      return (outer, inner)
    }
    for (index, number) in numbers.enumerated() where appearing.count < Self.followed {
      if !clip.hasPicture(number) {
        if pair != nil || clip.clock?.isOneGroup ?? true { break }
        try clip.require(numbers[index...].prefix(Self.followed))
      }
      let frame = try clip.frame(number)
      if index == 0 { least = max(least, Self.rise * frame.contrast) }
      if !appearing.isEmpty || frame.contrast >= least { appearing.append(frame) }
    }
    guard let (outer, inner) = pair else { return true }
    let change = log(inner.thumbnail.largestDeviations / outer.thumbnail.largestDeviations)
    return change > Self.dimming * log(inner.contrast / outer.contrast)
  }
}

extension Thumbnail {
  /// The luma deviation of the part that deviates, however small it is: the root of the ratio of its fourth moment to
  /// its second.
  fileprivate var largestDeviations: Double {
    let mean = detail.reduce(0) { $0 + Double($1) } / Double(detail.count)
    var (second, fourth) = (0.0, 0.0)
    for value in detail {
      let square = (Double(value) - mean) * (Double(value) - mean)
      second += square
      fourth += square * square
    }
    return (fourth / max(second, .leastNormalMagnitude)).squareRoot()
  }
}
