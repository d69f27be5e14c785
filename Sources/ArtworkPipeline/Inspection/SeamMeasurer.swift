extension SeamMeasurement {
  /// Measures the seam of a clip from its reduced end frames; `nil` for fewer than two frames.
  ///
  /// - Parameters:
  ///   - first, last: the first and last displayed frames in presentation order. They overlap in
  ///     clips of fewer frames than both hold.
  ///   - timestamps: of all displayed frames.
  ///   - medianStep: the clip's usual step, in the unit of `timestamps`.
  init?(first: [Thumbnail], last: [Thumbnail], timestamps: [Int64], medianStep: Int64) {
    guard let start = first.first, let end = last.last, first.count > 1, last.count > 1 else {
      return nil
    }
    func steps(_ frames: [Thumbnail]) -> [Double] {
      zip(frames, frames.dropFirst()).map(FrameStep.distance)
    }
    func lengths(_ times: some Collection<Int64>) -> [Double] {
      zip(times, times.dropFirst()).map { Double($1 &- $0) / Double(max(1, medianStep)) }
    }
    let headStatistics = first.map(FrameStep.statistics)
    let tailStatistics = last.map(FrameStep.statistics)
    self.init(
      seamStep: FrameStep.distance(end, start), headSteps: steps(first), tailSteps: steps(last),
      headStepLengths: lengths(timestamps.prefix(first.count)),
      tailStepLengths: lengths(timestamps.suffix(last.count)),
      headContrast: headStatistics.map(\.contrast), tailContrast: tailStatistics.map(\.contrast),
      headLuma: headStatistics.map(\.mean), tailLuma: tailStatistics.map(\.mean))
  }
}
