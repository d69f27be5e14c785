/// Looks for loops, draws seams and makes videos: ``Inspector`` in this process, ``IsolatedInspector`` in a
/// worker.
///
/// All of these decode every frame, so a worker has ``Limits/cpuSecondsForEverything``, and more of it to encode.
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

  /// Blocks the calling thread while it decodes and encodes everything. The video is not inspected yet.
  ///
  /// - Parameter progress: is told now and then how many frames are encoded, on the calling thread.
  /// - Throws: ``InspectionError``; `video-not-written` where no video can be made.
  func importMovie(
    _ candidate: Candidate, _ request: ImportRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie
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
