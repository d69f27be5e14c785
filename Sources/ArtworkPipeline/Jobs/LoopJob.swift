/// Searches for loops, and draws the seam of the best one. The bytes of the answer are the strip, then the animation.
package struct LoopJob: Job {
  package static let name = "loop"

  package var request: TrimRequest
  package var withPictures: Bool
  /// Where a closed loop may begin; `nil` if that is not asked.
  package var start: Start?

  /// The picture that a loop begins like.
  package struct Start: Codable, Sendable {
    /// `nil` for the first frame.
    package var cover: StillPicture?
  }

  /// - Parameter withPictures: also draw the seam of the best loop.
  package init(request: TrimRequest, withPictures: Bool = false, start: Start? = nil) {
    (self.request, self.withPictures, self.start) = (request, withPictures, start)
  }

  package struct Reply: Codable, Sendable {
    var report: LoopReport
    var stripBytes: Int
  }

  package func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  package func mostBytes(_ limits: Limits) -> Int64 {
    guard withPictures else { return 0 }
    return PictureBytes.png(pixels: SeamStrip.largest.area)
      + PictureBytes.animation(LoopPictures.animation, frames: LoopPictures.mostFrames)
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let found: LoopCandidates
    if let pictures = try PictureFile.open(file, limits: limits) {
      found = try LoopFinder.find(
        pictures, request, withPictures: withPictures, start: start, limits: limits,
        progress: progress)
    } else {
      found = try file.withClip(limits: limits) { clip throws(InspectionError) in
        try LoopFinder.find(
          clip, request, withPictures: withPictures, start: start, limits: limits,
          progress: progress)
      }
    }
    return JobAnswer(
      value: Reply(report: found.report, stripBytes: found.strip?.count ?? 0),
      bytes: (found.strip ?? []) + (found.animation ?? []))
  }

  package func outcome(of answer: JobAnswer<Reply>) -> LoopCandidates? {
    let (report, bytes) = (answer.value.report, answer.bytes)
    guard report.isConsistent(with: request),
      report.likeness.map({ start != nil && $0.count == report.frameCount }) ?? true,
      (0...bytes.count).contains(answer.value.stripBytes)
    else { return nil }
    let strip = Array(bytes.prefix(answer.value.stripBytes))
    let animation = Array(bytes.dropFirst(answer.value.stripBytes))
    guard strip.isEmpty || withPictures && PNGFile.isWellFormed(strip),
      animation.isEmpty
        || withPictures
          && APNGFile.isWellFormed(
            animation, mostFrames: LoopPictures.mostFrames, inside: LoopPictures.animation)
    else { return nil }
    return LoopCandidates(
      report: report, strip: strip.isEmpty ? nil : strip,
      animation: animation.isEmpty ? nil : animation)
  }
}

extension LoopReport {
  /// Whether this can be an answer to `request`: parts are cut by its numbers. Whether
  /// it is true cannot be checked.
  func isConsistent(with request: TrimRequest) -> Bool {
    func holds(_ start: Int, _ end: Int) -> Bool { 0 <= start && start < end && end <= frameCount }
    return candidates.count <= request.count && below == request.below
      && (frameRate.map { $0 > Rational(0) } ?? true)
      && (candidates + [whole].compactMap(\.self)).allSatisfy { holds($0.startFrame, $0.endFrame) }
      && (crossFade.map {
        holds($0.startFrame, $0.endFrame) && $0.fadeFrames > 0 && $0.fadeFrames <= $0.startFrame
          && $0.fadeFrames <= $0.endFrame - $0.startFrame
      } ?? true) && (drift?.isConsistent(with: frameCount) ?? true)
      && [lit, swing].allSatisfy { $0.map { holds($0.lowerBound, $0.upperBound) } ?? true }
  }
}

package struct LoopCandidates: Sendable {
  package var report: LoopReport
  /// The bytes of a PNG file: the last frames of the best loop, then its first. `nil` if no pictures were requested,
  /// or if there is no loop to draw.
  package var strip: [UInt8]?
  /// The bytes of an animated PNG file: the best loop around its seam, again and again.
  package var animation: [UInt8]?
}
