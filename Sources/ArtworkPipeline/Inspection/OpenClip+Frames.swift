import ArtworkModel

extension OpenClip {
  /// Decodes every frame and keeps of each its digest and its time. Costs one full decode.
  func shown() throws(InspectionError) -> ShownClip {
    var digests: [SIMD2<UInt64>] = []
    let decoded = try FrameReader(endCount: 1).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: true,
      take: { frame, _, _ throws(InspectionError) in digests.append(try frame.digest()) })
    let tick = timeBase.value * 1e9
    let first = decoded.timestamps.first ?? 0
    let frames = ShownFrames(
      frames: zip(digests, decoded.timestamps).map { digest, time in
        ShownFrames.Frame(
          digest: digest,
          nanoseconds: wholeNumber(Double(time.subtractingClamped(first)) * tick, as: Int64.self)
            ?? 0)
      }, tickNanoseconds: wholeNumber(tick.rounded(.up), as: Int64.self) ?? 0)
    let container = ContainerFacts(
      demuxer: demuxer, stream: stream, table: table, layout: demuxer.layout)
    let (facts, _) = MediaFacts.gather(decoded: decoded, stream: stream, container: container)
    return ShownClip(frames: frames, facts: facts)
  }
}
