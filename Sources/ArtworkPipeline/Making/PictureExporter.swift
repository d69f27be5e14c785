import Glibc

/// Makes an animated picture of a clip with the best quality below a size limit.
///
/// The settings are tried from the best on. The size of a trial decides which other one is worth the next trial, so
/// that a few trials are enough. The file itself is verified: its seam is measured again.
package struct PictureExporter {
  private let runner: any JobRunner
  private let candidate: Candidate
  private let format: FileFormat
  /// The largest width; `nil` for that of the clip.
  private let width: Int?
  /// `nil` for any number.
  private let mostBytes: Int?
  /// The highest rate, and the quality; `nil` for those that the format allows.
  private let (rate, quality): (Int?, Int?)
  /// The inspection of the clip, if it is known.
  private let inspection: Inspection?
  private let progress: JobProgress?

  /// Files that are made at most.
  private static let mostTrials = 8

  package init(
    _ runner: any JobRunner, _ candidate: Candidate, as format: FileFormat,
    width: Int? = nil, rate: Int? = nil, quality: Int? = nil, mostBytes: Int? = nil,
    inspection: Inspection? = nil, progress: JobProgress? = nil
  ) {
    (self.runner, self.candidate, self.format) = (runner, candidate, format)
    (self.width, self.mostBytes, self.progress) = (width, mostBytes, progress)
    (self.rate, self.quality, self.inspection) = (rate, quality, inspection)
  }

  /// Blocks the calling thread.
  ///
  /// - Throws: `video-not-written` if no setting fits, or each would add a seam; errors of reading the clip.
  package func export() throws(InspectionError) -> MadePicture {
    let source =
      if let inspection { inspection } else {
        try runner.inspect(candidate, Self.request).inspection
      }
    if let copy = try endlessCopy(of: source) { return copy }
    let settings = ExportSetting.all(
      format, for: source.facts, width: width, most: rate, quality: quality)
    guard let best = settings.first else {
      throw InspectionError(.noFrames, "there is nothing to show")
    }
    var scale: Double?
    var tried: Set<ExportSetting> = []
    let wanted = Rules.seam(of: source, profile: .nowPlaying)
    // At the constant rate of WebM, a few pictures that last differently look as if they jumped.
    let loops = wanted?.verdict == .seamless && (format != .webm || wanted?.certainty == .certain)
    var fits: (setting: ExportSetting, bytes: [UInt8], inspection: Inspection)?
    var (smallest, seam): (Int?, SeamJudgement.Verdict?) = (nil, nil)
    while tried.count < Self.mostTrials {
      // Better than the best that fits so far, and likely to fit.
      let next = settings.prefix { $0 != fits?.setting }.first { setting in
        guard !tried.contains(setting) else { return false }
        guard let most = mostBytes, let scale else { return true }
        return setting.weight * scale <= Double(most)
      }
      guard let setting = next ?? (fits == nil ? settings.last { !tried.contains($0) } : nil) else {
        break
      }
      tried.insert(setting)
      let made = try make(setting, isTransparent: source.facts.hasAlpha)
      scale = Double(made.bytes.count) / setting.weight
      smallest = min(smallest ?? .max, made.bytes.count)
      if let mostBytes, made.bytes.count > mostBytes { continue }
      let inspection = try runner.run(InspectJob(request: Self.request), onBytes: made.bytes)
        .inspection
      let verdict = Rules.seam(of: inspection, profile: .nowPlaying)?.verdict
      // The clip loops, and the picture does not, or stands still.
      if loops, verdict != .seamless {
        seam = verdict
        continue
      }
      fits = (setting, made.bytes, inspection)
      if setting == best { break }
    }
    if let fits {
      return MadePicture(
        bytes: fits.bytes, size: fits.setting.size, rate: fits.setting.rate,
        quality: fits.setting.quality, inspection: fits.inspection,
        seam: Rules.seam(of: fits.inspection, profile: .nowPlaying),
        changes: fits.setting.changes(from: best, format, source.facts),
        loweredRate: rate == nil ? fits.setting.lowered(best, format, source.facts) : nil,
        rest: source.decoding.rest(of: source.facts.frameCount))
    }
    if let seam {
      throw InspectionError(
        .videoNotWritten,
        seam == .static
          ? "as \(format.title) it would not move as the video does"
          : "as \(format.title) it would not repeat as the video does (\(seam.rawValue))",
        advice: "allow more bytes, or use another format")
    }
    throw InspectionError(
      .videoNotWritten,
      "the smallest \(format.title) that still shows it has \(smallest ?? 0) bytes",
      advice: "allow more bytes, or use another format")
  }

  /// A copy of a picture that stops, which repeats; `nil` for one of another format, that repeats, or that is to be changed.
  private func endlessCopy(of source: Inspection) throws(InspectionError) -> MadePicture? {
    let facts = source.facts
    guard facts.playCount != nil, facts.container == format.container,
      facts.displayWidth <= width ?? .max, facts.fileBytes <= mostBytes ?? .max, quality == nil,
      facts.maxFrameRate ?? facts.frameRate ?? 0 <= Double(rate ?? .max)
    else { return nil }
    let size = PixelSize(width: facts.displayWidth, height: facts.displayHeight)
    var picture = AnimatedPicture(format: format, size: size)
    picture.isCopy = true
    let made = try runner.run(
      MakeJob(recipe: Recipe(content: .animation(picture))), on: candidate, progress: progress)
    let inspection = try runner.run(InspectJob(request: Self.request), onBytes: made.bytes)
      .inspection
    return MadePicture(
      bytes: made.bytes, size: size, rate: nil, quality: picture.quality, inspection: inspection,
      seam: Rules.seam(of: inspection, profile: .nowPlaying), changes: [],
      rest: source.decoding.rest(of: source.facts.frameCount))
  }

  private static let request = InspectionRequest(settlesDoubts: true)

  private func make(
    _ setting: ExportSetting, isTransparent: Bool
  ) throws(InspectionError) -> MadeFile {
    var frames = FrameSelection()
    frames.adapts = true
    (frames.rate, frames.mostRate) = (setting.rate, format.highestRate)
    var picture = AnimatedPicture(format: format, size: setting.size, quality: setting.quality)
    picture.isTransparent = isTransparent
    do throws(InspectionError) {
      return try runner.run(
        MakeJob(recipe: Recipe(frames: frames, content: .animation(picture))), on: candidate,
        progress: progress)
    } catch {
      guard [.videoNotWritten, .outOfMemory].contains(error.code), error.advice == nil else {
        throw error
      }
      var error = error
      error.advice = InspectionError.memoryAdvice(max(4, runner.limits.memoryBytes >> 29))
      throw error
    }
  }
}

extension FileFormat {
  /// The most frames a second. GIF has no delay shorter than two hundredths of a second in practice, and browsers show
  /// pictures with a delay of 10 ms for 100 ms.
  fileprivate var highestRate: Int64 {
    switch self {
    case .gif: 50
    case .webp, .png, .avif: 99
    case .webm, .jpeg: FrameSelection.highestRate
    }
  }
}

/// One way to make an animated picture smaller.
struct ExportSetting: Hashable, Sendable {
  var size: PixelSize
  /// `nil` for the times of the source.
  var rate: Rational?
  var quality: Int
  /// Its approximate size relative to the others, estimated from files of each kind.
  let weight: Double
  /// How much of the visible quality it keeps.
  let merit: Double

  private static let scales = [1, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35, 0.3, 0.25, 0.2, 0.15]
  private static let leastWidth = 48
  /// Below this, motion is no longer fluent.
  private static let leastRate = 10.0
  /// A rate that still looks fluent: more than this is given up before more than half of the width.
  private static let fluentRate = 15.0
  /// The bytes of a GIF in each quality, in shares of those in the best.
  private static let gifShares = [1, 0.7, 0.38, 0.32]

  /// The best first: half of the size costs as much as a quarter of the rate.
  static func all(
    _ format: FileFormat, for facts: MediaFacts, width: Int?, most: Int? = nil,
    quality: Int? = nil
  ) -> [ExportSetting] {
    let displaySize = PixelSize(
      width: max(1, facts.displayWidth), height: max(1, facts.displayHeight))
    let whole = width.map { min($0, displaySize.width) } ?? displaySize.width
    let widths = Set(scales.map { max(1, wholeNumber((Double(whole) * $0).rounded()) ?? 1) })
    let rates = rates(format, facts, most: most)
    let slowest = rates.last?.every
    let qualities = quality.map { [$0] } ?? format.qualities
    var all: [ExportSetting] = []
    for width in widths where width == whole || width >= leastWidth {
      let height = (Double(displaySize.height) * Double(width) / Double(displaySize.width))
        .rounded()
      func side(_ length: Int) -> Int { max(format.unit, length / format.unit * format.unit) }
      let size = PixelSize(width: side(width), height: side(wholeNumber(height) ?? 1))
      let scale = Double(width) / Double(whole)
      for (every, rate) in rates {
        let shown = rate?.value ?? facts.frameRate ?? 0
        guard scale >= 0.5 || shown <= fluentRate || every == slowest else { continue }
        for (step, quality) in qualities.enumerated() {
          // A step of quality reduces the size by a quarter.
          all.append(
            ExportSetting(
              size: size, rate: rate, quality: quality,
              weight: pow(scale, 1.7) * pow(1 / Double(every), 0.8)
                * (format == .gif ? gifShares[step] : pow(0.75, Double(step))),
              merit: log2(scale) - 0.5 * log2(Double(every)) - 0.25 * Double(step)))
        }
      }
    }
    return all.sorted { ($0.merit, $0.size.width) > ($1.merit, $1.size.width) }
  }

  /// What is less than in the best setting, in words.
  fileprivate func changes(
    from best: ExportSetting, _ format: FileFormat, _ facts: MediaFacts
  ) -> [String] {
    var changes: [String] = []
    if size != best.size { changes.append("\(size) instead of \(best.size)") }
    if rate != best.rate, let rate {
      let before = best.rate?.value ?? facts.frameRate ?? rate.value
      changes.append(
        "\(decimal(rate.value, places: 3)) fps instead of \(decimal(before, places: 3))")
    }
    if quality != best.quality {
      changes.append(
        format == .gif
          ? "\(quality) colours instead of \(best.quality)"
          : "quality \(quality) instead of \(best.quality)")
    }
    return changes
  }

  /// The rate that the format carries of a quicker source; `nil` if it carries all of it.
  fileprivate func lowered(
    _ best: ExportSetting, _ format: FileFormat, _ facts: MediaFacts
  ) -> Double? {
    guard let own = facts.maxFrameRate ?? facts.frameRate,
      own > Double(format.highestRate) + 0.01
    else { return nil }
    return best.rate?.value ?? Double(format.highestRate)
  }

  /// The rate itself, and every second, third and fourth frame of it.
  private static func rates(
    _ format: FileFormat, _ facts: MediaFacts, most: Int?
  ) -> [(every: Int, rate: Rational?)] {
    guard facts.frameRateMode == .constant, let own = facts.frameRateRatio else {
      return [(1, most.map { Rational(Int64($0)) })]
    }
    let isLower = most.map { Double($0) < own.value } ?? false
    let rate = isLower ? most.map { Rational(Int64($0)) } ?? own : own
    let highest = Double(format.highestRate)
    let all = (1...6).compactMap { every in
      Rational(1, Int64(every)).flatMap { rate.multiplied(by: $0) }.map { (every, $0) }
    }
    let quick = all.filter { $0.1.value <= highest }
    let fluent = quick.filter { $0.0 <= 4 && $0.1.value >= leastRate }
    return (fluent.isEmpty ? Array(quick.prefix(1)) : fluent).map {
      (every: $0.0, rate: $0.0 == 1 && !isLower ? nil : $0.1)
    }
  }
}
