import ArtworkModel

extension OpenClip {
  /// Decodes every frame and keeps of each its digest and its time. Costs one full decode.
  func shownFrames() throws(InspectionError) -> ShownFrames {
    var digests: [SIMD2<UInt64>] = []
    let decoded = try FrameReader(endCount: 1).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: true,
      take: { frame, _, _ throws(InspectionError) in digests.append(try frame.digest()) })
    let tick = timeBase.value * 1e9
    let first = decoded.timestamps.first ?? 0
    return ShownFrames(
      frames: zip(digests, decoded.timestamps).map { digest, time in
        ShownFrames.Frame(
          digest: digest,
          nanoseconds: wholeNumber(Double(time.subtractingClamped(first)) * tick, as: Int64.self)
            ?? 0)
      }, tickNanoseconds: wholeNumber(tick.rounded(.up), as: Int64.self) ?? 0)
  }
}
