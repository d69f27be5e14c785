/// Makes an animated picture of the frames of a source, in order.
///
/// A class because reducers are copied, and an encoder cannot be.
final class PictureRecorder {
  private let picture: AnimatedPicture
  private let size: PixelSize
  private let plan: ShotPlan
  /// The shots of each frame of the source.
  private let shots: [Int: [Int]]
  private let progress: Recipe.Progress
  /// The largest size of the file.
  private let mostBytes: Int

  private var palette: PaletteChooser?
  private var gif: GIFWriter?
  private var webp: WebPAnimationWriter?
  /// The file, if FFmpeg writes it.
  private var movie: EncodedMovie?
  private var done = 0

  /// - Parameters:
  ///   - plan: forward, without a dissolve.
  ///   - displaySize: of the source.
  /// - Throws: `video-not-written` in a build that lacks the library.
  init(
    _ picture: AnimatedPicture, _ plan: ShotPlan, displaySize: PixelSize, mostBytes: Int,
    progress: @escaping Recipe.Progress
  ) throws(InspectionError) {
    (self.picture, self.plan, self.progress, self.mostBytes) = (picture, plan, progress, mostBytes)
    size = picture.size ?? displaySize
    shots = Dictionary(grouping: plan.shots.indices) { plan.shots[$0].frame }
    precondition(
      zip(plan.shots, plan.shots.dropFirst()).allSatisfy { $0.frame <= $1.frame },
      "pictures run forward")
  }

  /// - Returns: the bytes of the file.
  /// - Throws: errors of the source; `video-not-written` for a file beyond the limit.
  func record(_ source: borrowing some FrameSource & ~Copyable) throws(InspectionError) -> [UInt8] {
    switch picture.format {
    case .webp:
      webp = try WebPAnimationWriter(
        size: size, quality: picture.quality, count: plan.shots.count)
      try read(source)
      guard let bytes = try webp?.finish() else { return [] }
      return try limited(bytes)
    case .avif, .webm, .png, .jpeg:
      movie = try Self.sequence(picture, plan, size: size, mostBytes: mostBytes)
      try read(source)
      guard let sequence = movie.take() else { return [] }
      return try sequence.finish()
    case .gif:
      palette = PaletteChooser()
      try read(source)
      guard let chosen = palette else { return [] }
      palette = nil
      done = 0
      gif = GIFWriter(
        size: size, colors: try chosen.colors(most: picture.quality),
        isTransparent: chosen.isTransparent, loss: picture.colorLoss)
      try read(source)
      return try limited(gif?.finish() ?? [])
    }
  }

  private func read(_ source: borrowing some FrameSource & ~Copyable) throws(InspectionError) {
    var reducer = PictureReducer(recorder: self)
    _ = try source.readFrames(everyFrame: true, into: &reducer)
    guard done == plan.shots.count else {
      throw InspectionError(.decodeFailed, "a frame cannot be decoded")
    }
  }

  /// Takes a frame of the source.
  fileprivate func take(
    _ frame: borrowing some SourceFrame & ~Copyable, _ number: Int
  ) throws(InspectionError) {
    guard let shots = shots[number] else { return }
    let image = try frame.picture { _ in size }
    for shot in shots {
      try take(image, shot)
      done += 1
      if palette == nil { progress(done, plan.shots.count) }
    }
  }

  private func take(_ image: PixelImage, _ shot: Int) throws(InspectionError) {
    if palette != nil {
      palette?.add(image)
      return
    }
    switch picture.format {
    case .webp: try webp?.append(image, seconds: seconds(shot))
    case .avif, .webm:
      let shown =
        picture.isTransparent ? image.withAlpha.spread : image.opaque(over: .black).image
      try movie?.append(
        FrameConverter.encodable(shown, size: size), duration: plan.shots[shot].ticks)
    case .gif:
      gif?.append(image, seconds: seconds(shot))
      if let count = gif?.count, count > mostBytes { throw tooLarge }
    case .png, .jpeg:
      let shown = picture.isTransparent ? image.withAlpha : image.opaque(over: .black).image
      try movie?.append(.copy(of: shown), duration: plan.shots[shot].ticks)
    }
  }

  /// - Throws: `video-not-written` if FFmpeg cannot.
  private static func sequence(
    _ picture: AnimatedPicture, _ plan: ShotPlan, size: PixelSize, mostBytes: Int
  ) throws(InspectionError) -> EncodedMovie {
    guard picture.format != .avif || VideoEncoder.writesAVIF else {
      throw InspectionError(
        .videoNotWritten,
        "AVIF needs FFmpeg 5.1 or later with libaom, and this one is without",
        operation: "encode the animation", advice: "use another format")
    }
    var format = VideoEncoder.Format(
      codec: picture.format == .webm ? .movie(.vp9) : picture.format == .png ? .apng : .av1,
      size: size, timeBase: plan.timeBase, rate: plan.rate)
    // The encoder has libx264's scale for VP9.
    format.quality = (63 - picture.quality) * 2 / (picture.format == .webm ? 3 : 2)
    format.content = picture.isTransparent ? .colorsAndAlpha : .colors
    if picture.format == .png {
      format.color = ColorDescription(
        matrix: "gbr", primaries: "bt709", transfer: "iec61966-2-1")
      let rest = Rational(plan.shots.last?.ticks ?? 1).multiplied(by: plan.timeBase) ?? .one
      return try unsafe EncodedMovie.open(
        format, muxer: "apng", options: ["plays": "0", "final_delay": rest.shortFraction],
        atMost: mostBytes)
    }
    format.frameCount = plan.shots.count
    return try unsafe EncodedMovie.open(format, muxer: picture.format.rawValue, atMost: mostBytes)
  }

  private func seconds(_ shot: Int) -> Rational {
    Rational(plan.shots[shot].ticks).multiplied(by: plan.timeBase) ?? .one
  }

  private func limited(_ bytes: [UInt8]) throws(InspectionError) -> [UInt8] {
    if bytes.count > mostBytes { throw tooLarge }
    return bytes
  }

  private var tooLarge: InspectionError {
    InspectionError(
      .videoNotWritten, "the file would have more than \(mostBytes) bytes",
      operation: "encode the animation", advice: "use a smaller --width or a lower --fps")
  }
}

extension AnimatedPicture {
  /// The bytes of an animated PNG file of pictures in memory, which repeats without end.
  ///
  /// - Parameters:
  ///   - pictures: at least two, all of one size.
  ///   - seconds: the duration of each, above zero.
  package static func png(
    _ pictures: [PixelImage], seconds: [Rational], limits: Limits
  ) throws(InspectionError) -> [UInt8] {
    let sequence = try PictureSequence(pictures, durations: seconds)
    var picture = AnimatedPicture(format: .png)
    picture.isTransparent = pictures.contains { $0.channels == .rgba }
    return try PictureRecorder(
      picture, ShotPlan(seconds, FrameSelection(), limits: limits), displaySize: sequence.size,
      mostBytes: .max
    ) { _, _ in }.record(sequence)
  }
}

private struct PictureReducer: FrameReducer {
  let endCount = 1
  let recorder: PictureRecorder

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError) {
    try recorder.take(frame, place.number)
  }
}

extension PixelImage {
  /// This picture with an alpha channel, opaque if it had none.
  fileprivate var withAlpha: PixelImage {
    guard channels == .rgb else { return self }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * size.area)
    for place in stride(from: 0, to: bytes.count, by: 3) {
      pixels += bytes[place..<place + 3]
      pixels.append(255)
    }
    return PixelImage(size: size, channels: .rgba, bytes: pixels)
  }

  /// This picture with an alpha channel, whose clear pixels have the mean colour of the visible ones around them, so that
  /// no other colour comes in where chroma is shared, and none costs bytes.
  fileprivate var spread: PixelImage {
    var pixels = bytes
    var mean: [UInt8] = [0, 0, 0]
    for top in stride(from: 0, to: size.height, by: 8) {
      for left in stride(from: 0, to: size.width, by: 8) {
        let (rows, columns) = (top..<min(top + 8, size.height), left..<min(left + 8, size.width))
        var (sums, seen) = ([0, 0, 0], 0)
        for y in rows {
          for place in columns.lazy.map({ (y * size.width + $0) * 4 }) where bytes[place + 3] > 0 {
            for channel in 0..<3 { sums[channel] += Int(bytes[place + channel]) }
            seen += 1
          }
        }
        if seen == rows.count * columns.count { continue }
        if seen > 0 { mean = sums.map { UInt8(clamping: $0 / seen) } }
        for y in rows {
          for place in columns.lazy.map({ (y * size.width + $0) * 4 }) where bytes[place + 3] == 0 {
            for channel in 0..<3 { pixels[place + channel] = mean[channel] }
          }
        }
      }
    }
    return PixelImage(size: size, channels: .rgba, bytes: pixels)
  }
}

extension InspectionError {
  /// The remedy for pictures that take too much memory.
  ///
  /// - Parameter gibibytes: that would do.
  package static func memoryAdvice(_ gibibytes: some BinaryInteger) -> String {
    "use a smaller --width, a lower --fps or another format, or raise the limit "
      + "(--limit memory=\(gibibytes)GiB)"
  }
}
