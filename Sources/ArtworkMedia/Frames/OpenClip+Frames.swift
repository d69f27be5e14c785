extension OpenClip {
  /// Decodes every frame and keeps of each its digest and its time. Costs one full decode.
  package func displayed() throws(InspectionError) -> DisplayedClip {
    var digests: [SIMD2<UInt64>] = []
    let decoded = try FrameReader(endCount: 1).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: true,
      take: { frame, _, _ throws(InspectionError) in digests.append(try frame.digest()) })
    guard !decoded.isDisordered else {
      throw InspectionError(.notCopied, "its times contradict the order of its frames")
    }
    let frames = DisplayedFrames(
      timestamps: decoded.timestamps, timeBase: timeBase, digests: digests)
    let container = ContainerFacts(
      demuxer: demuxer, stream: stream, table: table, layout: demuxer.layout)
    let (facts, _) = MediaFacts.gather(decoded: decoded, stream: stream, container: container)
    return DisplayedClip(frames: frames, facts: facts)
  }
}

extension DisplayedFrames {
  /// - Parameter timestamps: of the frames in order, in units of `timeBase`.
  package init(timestamps: [Int64], timeBase: Rational, digests: [SIMD2<UInt64>]) {
    let tick = timeBase.value * 1e9
    let first = timestamps.first ?? 0
    self.init(
      frames: zip(digests, timestamps).map { digest, time in
        Frame(
          digest: digest,
          nanoseconds: wholeNumber(Double(time.subtractingClamped(first)) * tick, as: Int64.self)
            ?? 0)
      }, tickNanoseconds: wholeNumber(tick.rounded(.up), as: Int64.self) ?? 0)
  }
}
