public import ArtworkModel

/// Looks for loops and draws seams: ``Inspector`` in this process, ``IsolatedInspector`` in a worker.
///
/// Both decode every frame: give the worker ``Limits/cpuSecondsForEverything``.
public protocol LoopInspector: CandidateInspector {
  /// What a file may be and may cost.
  var limits: Limits { get }

  /// Blocks the calling thread: the time of decoding everything, and about 25 ns for each pair of frames, and
  /// up to 30 ms for each of at most 20 candidates.
  ///
  /// - Parameter withPictures: also draw the seam of the best loop.
  /// - Throws: ``InspectionError``, as ``CandidateInspector/inspect(_:_:)``.
  func findLoops(
    _ candidate: Candidate, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops

  /// Blocks the calling thread: the time of decoding everything, and some 50 ms.
  ///
  /// - Throws: ``InspectionError``; `no-frames` for a clip of a single frame, which has no seam.
  func drawSeam(_ candidate: Candidate) throws(InspectionError) -> DrawnSeam
}

public struct FoundLoops: Sendable {
  public var report: LoopReport
  /// The bytes of a PNG file: the last frames of the best loop, then its first. `nil` when no pictures were
  /// asked for, or where there is nothing to show.
  public var strip: [UInt8]?
  /// The bytes of an animated PNG file: the best loop around its seam, again and again.
  public var animation: [UInt8]?
}

public struct DrawnSeam: Sendable {
  public var facts: SeamFacts
  /// The bytes of a PNG file.
  public var picture: [UInt8]
}

extension Inspector: LoopInspector {
  public func findLoops(
    _ candidate: Candidate, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops {
    let input = try InputFile.open(candidate.path, beneath: candidate.folder, limits: limits)
    return try input.whileUnchanged { () throws(InspectionError) in
      try findLoops(input, request, withPictures: withPictures)
    }
  }

  public func drawSeam(_ candidate: Candidate) throws(InspectionError) -> DrawnSeam {
    let input = try InputFile.open(candidate.path, beneath: candidate.folder, limits: limits)
    return try input.whileUnchanged { () throws(InspectionError) in try drawSeam(input) }
  }

  /// As above, for a file that is open; without a look at whether it changes meanwhile.
  func findLoops(
    _ input: InputFile, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try LoopFinder.find(clip, request, withPictures: withPictures)
    }
  }

  func drawSeam(_ input: InputFile) throws(InspectionError) -> DrawnSeam {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try SeamDrawer.draw(clip)
    }
  }
}
