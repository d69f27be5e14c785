public import ArtworkModel

extension IsolatedInspector: LoopInspector {
  public func findLoops(
    _ candidate: Candidate, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops {
    let (reply, bytes) = try reply(
      to: .loop(request, withPictures: withPictures), about: candidate)
    switch reply {
    case .loops(let report, let stripBytes):
      guard report.isConsistent(with: request), (0...bytes.count).contains(stripBytes) else {
        throw Self.nonsense
      }
      let strip = Array(bytes.prefix(stripBytes))
      let animation = Array(bytes.dropFirst(stripBytes))
      guard strip.isEmpty || withPictures && PNGFile.isWellFormed(strip),
        animation.isEmpty
          || withPictures
            && APNGFile.isWellFormed(
              animation, mostFrames: LoopPictures.mostFrames, inside: LoopPictures.animation)
      else { throw Self.nonsense }
      return FoundLoops(
        report: report, strip: strip.isEmpty ? nil : strip,
        animation: animation.isEmpty ? nil : animation)
    case .refusal(let error): throw error
    case .inspection, .still, .seam, .trial: throw Self.nonsense
    }
  }

  public func drawSeam(_ candidate: Candidate) throws(InspectionError) -> DrawnSeam {
    let (reply, bytes) = try reply(to: .seam, about: candidate)
    switch reply {
    case .seam(let facts):
      guard PNGFile.isWellFormed(bytes) else { throw Self.nonsense }
      return DrawnSeam(facts: facts, picture: bytes)
    case .refusal(let error): throw error
    case .inspection, .still, .loops, .trial: throw Self.nonsense
    }
  }

  private func reply(
    to task: WorkerTask, about candidate: Candidate
  ) throws(InspectionError) -> (WorkerReply, [UInt8]) {
    let file = try InputFile.open(candidate.path, beneath: candidate.folder, limits: limits)
    let (reply, bytes, _) = try perform(task, on: file)
    return (reply, bytes)
  }
}

extension LoopReport {
  /// Whether this can be an answer to `request`: commands are made from its numbers. Whether it is true,
  /// nobody can tell.
  func isConsistent(with request: TrimRequest) -> Bool {
    func holds(_ start: Int, _ end: Int) -> Bool { 0 <= start && start < end && end <= frameCount }
    return candidates.count <= request.count && streamIndex >= 0 && below == request.below
      && (frameRate.map { $0 > Rational(0) } ?? true)
      && (candidates + [whole].compactMap(\.self)).allSatisfy { holds($0.startFrame, $0.endFrame) }
      && (crossFade.map {
        holds($0.startFrame, $0.endFrame) && $0.fadeFrames > 0 && $0.fadeFrames <= $0.startFrame
          && $0.fadeFrames <= $0.endFrame - $0.startFrame
      } ?? true)
  }
}
