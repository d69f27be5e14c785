/// A clip that is a sequence of pictures: frames that were exported one by one, or a vector animation that is drawn
/// frame by frame. ``Inspector/inspect(_:preview:everyFrame:)`` measures it as it measures a video.
package struct PictureSequence: Sendable {
  /// Makes one picture; the first has number 0. May be called for any picture, and repeatedly.
  package typealias Draw = @Sendable (_ number: Int) throws(InspectionError) -> PixelImage

  /// The container and codec of a sequence in the facts.
  package struct Origin: Sendable, Equatable {
    /// The container's name, for example `webp`.
    package var container: String
    /// The demuxer of the file.
    package var format: String
    /// The codec's name, for example `webp`.
    package var codec: String

    /// Pictures in memory, or drawn by a caller.
    package static let pictures = Origin(
      container: "pictures", format: "pictures", codec: "rawvideo")
  }

  package let origin: Origin
  /// Pixels of each picture, which are square.
  package let size: PixelSize
  /// The duration of each picture, in seconds.
  package let durations: [Rational]
  /// The features of an animation that are not drawn; `nil` for pictures that are not rendered.
  package var limitations: [Limitation]?
  /// Pictures with a delay of 0 or 10 ms in the file, which last 100 ms as in browsers.
  package var shortDelays = 0
  /// Bits of a sample in the file; pictures have 8.
  package var bitDepth = 8
  /// See ``MediaFacts/isMisnumbered``.
  package var isMisnumbered: Bool?
  /// See ``MediaFacts/playCount``.
  package var playCount: Int?
  /// The number that an animation gives its first picture; 0 for others.
  package var firstNumber = 0
  private let draw: Draw

  /// A sequence of pictures that are all in memory.
  ///
  /// - Parameters:
  ///   - pictures: of one size.
  ///   - durations: as many, in seconds.
  /// - Throws: `no-frames` without a picture, `decode-failed` for a duration that is not above zero or a picture
  ///   of another size than the first.
  package init(_ pictures: [PixelImage], durations: [Rational]) throws(InspectionError) {
    precondition(pictures.count == durations.count, "each picture has a duration")
    guard let first = pictures.first else { throw Self.nothing }
    try self.init(size: first.size, durations: durations) { pictures[$0] }
    for (number, picture) in pictures.enumerated() { try check(picture, number) }
  }

  /// A sequence whose pictures are made one at a time, when they are needed.
  ///
  /// - Parameters:
  ///   - durations: of each picture in seconds.
  ///   - origin: container and codec in the facts, for pictures from a file.
  ///   - draw: runs on the thread that inspects.
  /// - Throws: as above. A picture of another size is found when it is drawn.
  package init(
    size: PixelSize, durations: [Rational], origin: Origin = .pictures, draw: @escaping Draw
  ) throws(InspectionError) {
    guard !durations.isEmpty else { throw Self.nothing }
    guard durations.allSatisfy({ $0 > Rational(0) }) else {
      throw InspectionError(.decodeFailed, "each picture needs a duration above zero")
    }
    self.origin = origin
    self.size = size
    self.durations = durations
    self.draw = draw
  }

  private static let nothing = InspectionError(.noFrames, "the sequence holds no pictures")

  /// Picture `number`, drawn now.
  package func picture(_ number: Int) throws(InspectionError) -> PixelImage {
    let picture = try draw(number)
    try check(picture, number)
    return picture
  }

  private func check(_ picture: PixelImage, _ number: Int) throws(InspectionError) {
    guard picture.size == size else {
      throw InspectionError(
        .decodeFailed, "picture \(number) has \(picture.size) pixels; the others have \(size)")
    }
  }
}

extension Limits {
  /// - Throws: `too-large` or `too-many-frames`. The length is checked when the frames are read.
  package func check(_ pictures: PictureSequence) throws(InspectionError) {
    guard Int64(clamping: pictures.size.area) <= pixels else {
      throw InspectionError(
        .tooLarge, "the pictures have \(pictures.size) pixels; at most \(pixels) are inspected")
    }
    guard pictures.durations.count <= frames else {
      throw InspectionError(.tooManyFrames, "the sequence has more than \(frames) pictures")
    }
  }
}

extension PictureSequence: FrameSource {
  package func readFrames(
    everyFrame: Bool, into reducer: inout some FrameReducer
  ) throws(InspectionError) -> ReadFrames {
    let count = durations.count
    let ticks = Clock(durations)
    let timing = FrameTiming(
      timestamps: ticks.timestamps, timeBase: ticks.timeBase, lastDuration: ticks.lastDuration,
      declaredDuration: nil, rounding: ticks.rounding)
    let clock = ClipClock(
      timestamps: ticks.timestamps, lastDuration: ticks.lastDuration, timeBase: ticks.timeBase,
      medianStep: timing.medianStep, keyFrames: Array(0..<count))
    var hasAlpha = false
    var taken: Set<Int> = []
    func take(_ numbers: some Sequence<Int>) throws(InspectionError) {
      for number in numbers {
        let image = try picture(number)
        hasAlpha = hasAlpha || image.channels == .rgba
        try reducer.reduce(
          PictureFrame(image), at: FramePlace(number: number, count: everyFrame ? nil : count))
        taken.insert(number)
      }
    }
    var readsAll = everyFrame
    if !everyFrame {
      let ends = Set(0..<min(reducer.endCount, count)).union(
        max(0, count - reducer.endCount)..<count)
      try take(ends.sorted())
      reading: while true {
        switch try reducer.framesNeeded(clock) {
        case .nothing: break reading
        case .frames(let numbers): try take(numbers.sorted())
        case .everyFrame:
          readsAll = true
          break reading
        }
      }
    }
    if readsAll { try take(0..<count) }
    return ReadFrames(
      clock: clock, orientation: .upright, facts: facts(timing, hasAlpha: hasAlpha),
      effort: Inspection.DecodingEffort(
        fallback: readsAll ? .requested : nil, packetsDecoded: taken.count,
        errorCount: 0, missingFrames: 0),
      lostCount: 0)
  }

  /// The facts of the sequence from its headers, and from its first and last picture.
  package func quickScan() throws(InspectionError) -> MediaFacts {
    var ends = EndReducer()
    return try readFrames(everyFrame: false, into: &ends).facts
  }

  /// The durations of pictures as timestamps.
  struct Clock {
    var timestamps: [Int64] = []
    var lastDuration: Int64 = 0
    var timeBase: Rational
    /// Ticks per millisecond if all durations are in milliseconds, as in WebP; else 1.
    private(set) var rounding: Int64 = 1
    /// When the last one ends.
    var end: Int64 { (timestamps.last ?? 0).addingClamped(lastDuration) }

    /// Ticks per second. ``FrameTiming`` might treat fewer as rounded times and then overlook a picture that lasts
    /// twice as long; more are rounded to microseconds, which no screen resolves.
    private static let leastTicks: Int64 = 90_000
    private static let mostTicks: Int64 = 1_000_000

    /// Exact if all durations are multiples of a millionth of a second or more.
    init(_ durations: [Rational]) {
      var ticks: Int64 = 1
      for duration in durations {
        // ticks/denominator in lowest terms: the missing factor of the least common multiple.
        let missing = Rational(ticks, duration.denominator)?.denominator ?? .max
        ticks = ticks.multipliedClamped(by: missing)
        if ticks > Self.mostTicks {
          ticks = Self.mostTicks
          break
        }
      }
      ticks *= max(1, (Self.leastTicks + ticks - 1) / ticks)
      timeBase = Rational(1, ticks) ?? .one
      if ticks.isMultiple(of: 1000), durations.allSatisfy({ 1000 % $0.denominator == 0 }) {
        rounding = ticks / 1000
      }
      var start: Int64 = 0
      for duration in durations {
        timestamps.append(start)
        let exact = duration.multiplied(by: Rational(ticks))?.value ?? .infinity
        lastDuration = max(1, wholeNumber(exact.rounded(), as: Int64.self) ?? .max)
        start = start.addingClamped(lastDuration)
      }
    }
  }

  private func facts(_ timing: FrameTiming, hasAlpha: Bool) -> MediaFacts {
    let aspect = Rational(Int64(size.width), Int64(size.height)) ?? .one
    var facts = MediaFacts(
      container: origin.container, format: origin.format, codec: origin.codec,
      pixelFormat: bitDepth > 8
        ? (hasAlpha ? "rgba64be" : "rgb48be") : (hasAlpha ? "rgba" : "rgb24"),
      bitDepth: bitDepth, chroma: "rgb", hasAlpha: hasAlpha,
      codedWidth: size.width, codedHeight: size.height, paddedWidth: size.width,
      paddedHeight: size.height, sampleAspect: .one, rotation: 0, mirrored: false,
      displayWidth: size.width, displayHeight: size.height, displayAspectRatio: aspect,
      displayAspect: aspect.value, frameRate: timing.rate?.value, frameRateRatio: timing.rate,
      frameRateMode: timing.mode, maxFrameRate: timing.highestRate,
      minFrameRate: timing.lowestRate, frameCount: durations.count, discardedFrameCount: 0,
      durationSeconds: timing.durationSeconds, startSeconds: 0, videoStreamCount: 1,
      hasAudio: false,
      // The colours of a PixelImage (IEC 61966-2-1), by FFmpeg's names.
      color: ColorDescription(
        matrix: "gbr", primaries: "bt709", transfer: "iec61966-2-1", range: "pc"),
      unsupported: limitations.map { Array($0.prefix(100)) },
      fileBytes: 0)
    facts.timeSource = .presentation
    facts.isMisnumbered = isMisnumbered
    facts.playCount = playCount
    return facts
  }
}
