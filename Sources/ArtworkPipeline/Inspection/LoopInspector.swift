public import ArtworkModel

/// Looks for loops and draws seams: ``Inspector`` in this process, ``IsolatedInspector`` in a
/// worker.
///
/// Both operations decode every frame, so a worker has ``Limits/cpuSecondsForEverything``.
public protocol LoopInspector: CandidateInspector {
  /// What a file may be and may cost.
  var limits: Limits { get }

  /// Blocks the calling thread while it decodes everything, compares all pairs of frames, and
  /// judges the best candidates (at most ``TrimRequest/mostCandidates``).
  ///
  /// - Parameter withPictures: also draw the seam of the best loop.
  /// - Throws: ``InspectionError``, as ``CandidateInspector/inspect(_:_:)``.
  func findLoops(
    _ candidate: Candidate, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops

  /// Blocks the calling thread while it decodes everything and draws.
  ///
  /// - Throws: ``InspectionError``; `no-frames` for a clip of a single frame, which has no seam.
  func drawSeam(_ candidate: Candidate) throws(InspectionError) -> DrawnSeam
}

public struct FoundLoops: Sendable {
  public var report: LoopReport
  /// The bytes of a PNG file: the last frames of the best loop, then its first. `nil` when no
  /// pictures were requested, or when there is nothing to show.
  public var strip: [UInt8]?
  /// The bytes of an animated PNG file: the best loop around its seam, again and again.
  public var animation: [UInt8]?
}

public struct DrawnSeam: Sendable {
  public var facts: SeamFacts
  /// The bytes of a PNG file.
  public var picture: [UInt8]
}
