/// The video in an open file, for ``Inspector`` and ``LoopFinder``.
///
/// Noncopyable as the demuxer that it owns; `stream` is valid as long as it lives.
package struct OpenClip: ~Copyable {
  let demuxer: Demuxer
  let stream: VideoStream
  let table: PacketTable
  package let timeBase: Rational
  package let limits: Limits
  /// The separate alpha track; `nil` if there is none that can be read.
  let alpha: AlphaTrack?
  /// An animated PNG or AVIF sequence has the colours of a still.
  private let traits: PictureTraits

  package init(
    _ input: InputFile, limits: Limits, formats: [String] = ContainerFormat.allowed
  ) throws(InspectionError) {
    let demuxer = try Demuxer.open(input, limits: limits, formats: formats)
    let stream = try demuxer.selectVideo()
    guard let timeBase = stream.timeBase else {
      throw InspectionError(.notAMovie, "the video stream has no time base")
    }
    let table = try PacketTable(scanning: demuxer, stream: stream)
    try limits.checkLength(table.timeSpan ?? 0, timeBase)
    let alpha =
      demuxer.layout?.hasAlphaTrack == true
      ? try AlphaTrack.of(input, frames: table.displayedCount, limits: limits) : nil
    let isPicture =
      formats == ContainerFormat.stills || demuxer.formatName == "apng"
      || FileFormat.avif.begins(input.bytes(at: 0, count: FileFormat.signatureLength))
    traits = PictureTraits(of: input, stream, isPicture: isPicture)
    self.demuxer = demuxer
    self.stream = stream
    self.table = table
    self.timeBase = timeBase
    self.limits = limits
    self.alpha = alpha
  }

  /// The form of decoded frames, which for a still also depends on its file.
  func form(_ decoded: DecodedFormat) -> DecodedFormat {
    let format = traits.turned(decoded)
    return alpha == nil ? format : format.addingAlpha()
  }

  /// A decoded frame as displayed, with its transparency and its colours.
  ///
  /// - Parameter number: in presentation order.
  func videoFrame(
    _ frame: borrowing Frame, _ format: DecodedFormat, number: Int
  ) throws(InspectionError) -> VideoFrame {
    let crop = crop(frame.width, frame.height)
    let format = traits.format(format, of: frame)
    guard let alpha else { return try VideoFrame(frame, format: format, crop: crop) }
    return try VideoFrame(
      alpha.composed(frame, number), format: format.addingAlpha(), crop: crop)
  }
}

extension Limits {
  /// - Parameter ticks: from the first displayed frame to the end of the last by their own times, since headers
  ///   of real files are wrong.
  package func checkLength(_ ticks: Int64, _ timeBase: Rational) throws(InspectionError) {
    let seconds = Double(ticks) * timeBase.value
    guard seconds > durationSeconds else { return }
    throw InspectionError(
      .tooLong,
      "the video lasts \(decimal(seconds, places: 1)) s "
        + "(limit \(decimal(durationSeconds, places: 1)) s)")
  }
}

extension InputFile {
  /// Runs `body` on the clip in this file; a read error takes precedence over its consequences.
  package func withClip<Result>(
    limits: Limits, formats: [String] = ContainerFormat.allowed,
    _ body: (borrowing OpenClip) throws(InspectionError) -> Result
  ) throws(InspectionError) -> Result {
    readAsBrowsers()
    if formats == ContainerFormat.stills { try PNGWeight.check(self, limits: limits) }
    return try LogCapture.scope { () throws(InspectionError) in
      let result: Result
      do throws(InspectionError) {
        result = try body(try OpenClip(self, limits: limits, formats: formats))
      } catch {
        try checkReads()
        throw formats == ContainerFormat.stills ? error.ofStill : error
      }
      try checkReads()
      return result
    }
  }

  func checkReads() throws(InspectionError) {
    if let failure = readFailure {
      throw InspectionError(
        .unreadable, "cannot read the file: \(failure.description.lowercased())")
    }
  }
}
